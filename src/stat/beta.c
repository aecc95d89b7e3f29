/* SPDX-License-Identifier: MIT */
/*
 * All functions use the weight x^a (1-x)^b / B(a,b) in the saddle-point form of stat/density.h. If one of
 * a, b is moderate, a tail is the weight times a continued fraction (DiDonato and Morris, "Algorithm 708",
 * 1992), evaluated by the method of Lentz as modified by Thompson and Barnett (1986). Its number of terms
 * grows with the square root of the smaller parameter. So if both are large, the density is integrated
 * instead: it is smooth on the scale of its deviation, and Gauss-Legendre panels of this width are accurate
 * to double precision.
 */
#include "stat/beta.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/double_double.h"
#include "stat/density.h"

static const double integrate_from = 1e6; /* the smaller parameter from which panels are faster */

/* A point x of the distribution (a, b). */
typedef struct point {
    double a, b, n;    /* n = a + b */
    double x, y;       /* y = 1 - x */
    double difference; /* a - n x, computed without cancellation; positive below the mean */
} point;

static point make_point(double x, double a, double b)
{
    base_dd n = base_dd_add(base_dd_of(a), base_dd_of(b));
    base_dd difference = base_dd_subtract(base_dd_of(a), base_dd_multiply(n, base_dd_of(x)));
    return (point){a, b, n.high, x, 1 - x, difference.high};
}

/* The same point of the mirrored distribution. */
static point mirror(point p)
{
    return (point){p.b, p.a, p.n, p.y, p.x, -p.difference};
}

/* ln( a b Gamma(a+b) / (Gamma(a+1) Gamma(b+1)) ), without the terms that are part of the deviances. */
static double log_constant(double a, double b, double n)
{
    return log(a) + log(b / n) + stat_residue(n) - stat_residue(a) - stat_residue(b);
}

static double deviances(const point *p)
{
    return stat_deviance(p->a, p->n * p->x, p->difference) +
           stat_deviance(p->b, p->n * p->y, -p->difference);
}

double stat_log_beta_weight(double x, double a, double b)
{
    assert(a > 0 && b > 0 && x >= 0 && x <= 1);
    if (x == 0 || x == 1)
        return -INFINITY;
    point p = make_point(x, a, b);
    return log_constant(a, b, p.n) - deviances(&p);
}

static double away_from_zero(double x)
{
    return fabs(x) < 1e-300 ? 1e-300 : x;
}

/*
 * a1/(b1 + a2/(b2 + …)) with a1 = 1. This form depends on x through `difference`. Therefore, unlike the
 * better known form, it is accurate where x is close to 1 and n is large.
 */
static double continued_fraction(const point *p)
{
    double value = away_from_zero(p->a / (p->a + 1) * (p->difference + 1));
    double numerator = value, denominator = 0;
    for (double j = 1; j < 1e6; j++) {
        double odd = p->a + 2 * j - 1, product = j * (p->b - j) * p->x / odd;
        double a = (p->a + j - 1) / odd * (p->n + j - 1) * p->x * product;
        double b = j + product + (p->a + j) / (odd + 2) * (p->difference + 1 + j * (1 + p->y));
        denominator = 1 / away_from_zero(b + a * denominator);
        numerator = away_from_zero(b + a / numerator);
        value *= numerator * denominator;
        if (fabs(numerator * denominator - 1) < 1e-16)
            break;
    }
    return 1 / value;
}

/* Nodes and weights of the 16-point Gauss-Legendre rule on [-1, 1]: the positive half. */
static const struct {
    double node, weight;
} rule[] = {
    {0.095012509837637440185, 0.18945061045506849629},
    {0.28160355077925891323, 0.18260341504492358887},
    {0.45801677765722738634, 0.16915651939500253819},
    {0.61787624440264374845, 0.14959598881657673208},
    {0.7554044083550030339, 0.12462897125553387205},
    {0.86563120238783174388, 0.09515851168249278481},
    {0.94457502307323257608, 0.062253523938647892863},
    {0.9894009349916499326, 0.027152459411754094852},
};

/* The density at x - down, given log_constant. */
static double density_below(const point *p, double constant, double down)
{
    point q = {p->a, p->b, p->n, p->x - down, p->y + down, p->difference + p->n * down};
    return exp(constant - deviances(&q)) / (q.x * q.y);
}

static double panel(const point *p, double constant, double from, double width)
{
    double middle = from + width / 2, sum = 0;
    for (size_t i = 0; i < sizeof rule / sizeof rule[0]; i++) {
        double offset = rule[i].node * width / 2;
        sum += rule[i].weight * (density_below(p, constant, middle - offset) +
                                 density_below(p, constant, middle + offset));
    }
    return sum * width / 2;
}

/*
 * The integral of the density below x, for x at or below the mean. Over a panel the density changes by a
 * factor of about e^4 to e^8, which 16 points integrate to 1e-16. Because both parameters are large, the
 * density is negligible long before x - down reaches 0.
 */
static double integral(const point *p)
{
    double deviation = sqrt(p->a / p->n * (p->b / p->n) / p->n);
    double slope = p->difference / (p->x * p->y);
    double width = 4 / (slope + 1 / deviation);
    double constant = log_constant(p->a, p->b, p->n), sum = 0;
    for (double from = 0;; from += width) {
        double part = panel(p, constant, from, width);
        sum += part;
        if (part <= 1e-17 * sum)
            return sum;
    }
}

/* The probability below x, for x at or below the mean. */
static double small_tail(const point *p)
{
    if (fmin(p->a, p->b) > integrate_from)
        return integral(p);
    double log_weight = log_constant(p->a, p->b, p->n) - deviances(p);
    return exp(log_weight) * continued_fraction(p);
}

/* Computes the smaller tail; the other one is 1 minus it. */
static double tail(double x, double a, double b, bool below)
{
    assert(a > 0 && b > 0 && x >= 0 && x <= 1);
    if (x == 0 || x == 1)
        return (x == 1) == below;
    point p = make_point(x, a, b);
    bool is_left = p.difference >= 0;
    if (!is_left)
        p = mirror(p);
    double small = fmin(small_tail(&p), 1);
    return is_left == below ? small : 1 - small;
}

double stat_beta_below(double x, double a, double b)
{
    return tail(x, a, b, true);
}

double stat_beta_above(double x, double a, double b)
{
    return tail(x, a, b, false);
}

/*
 * Bisection on the bit patterns, which for nonnegative doubles have the order of the numbers.
 * Any x in [0, 1] is found in 62 steps.
 */
double stat_beta_quantile(double probability, double a, double b)
{
    const double one = 1;
    uint64_t low = 0, high;
    double x;
    memcpy(&high, &one, sizeof high);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        memcpy(&x, &middle, sizeof x);
        if (stat_beta_below(x, a, b) >= probability)
            high = middle;
        else
            low = middle + 1;
    }
    memcpy(&x, &low, sizeof x);
    return x;
}
