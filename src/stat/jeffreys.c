/* SPDX-License-Identifier: MIT */
/*
 * The ends of the mixture with Jeffreys' prior. With a successes and b failures, n = a + b, the
 * interval has the p with
 *
 *     D(p) = a ln(a / np) + b ln(b / nq)  <=  C = ln(a^a b^b / n^n) - ln B(a+½, b+½) + ln π - ln α,
 *
 * n times the divergence of p from the share a/n, against a number that grows
 * with ln n alone. In the textbook form both sides are as large as n, and at
 * n = 2^53 nothing is left of their difference; here every term is positive, or
 * of the size of the sum.
 *
 * An end below the share is p = (a/n) e^t with t < 0, where
 *
 *     D = a (e^t - 1 - t) + b (y - ln(1+y)),    y = (a/b) (1 - e^t),
 *
 * is convex and falls to 0 at t = 0. So a step of Newton's method leads outside from wherever it
 * begins, and all others towards the end from outside. D'' is at most its value an/b at 0, and
 * D <= -at; each gives a t that is not far from the end. The end above is that of the failures, seen
 * from 1.
 *
 * Rounding. With functions of the mathematical library that are right to 2 units of 2^-52, D as
 * computed is off by a relative 60 units at most (the cancellation of e^t - 1 against t, and of
 * ln(1+y) against y, costs a factor of 11 where the series end), and C by an absolute 2e-14, or
 * 3e-14 of itself, since C >= ln 2. So the sum of both is below 2^-44. The t that is taken has
 * D >= C (1 + 2^-41) as computed. The end itself is then off by at most seven units of 2^-53 (four
 * for e^t, one for each other step), for which eight are allowed, and four of the last digit among
 * subnormal numbers.
 */
#include "stat/sequence.h"

#include <assert.h>
#include <math.h>

#include "stat/density.h"

enum {
    SMALL = 16,     /* from here on, five terms of the series leave less than 2e-16 */
    MOST_STEPS = 99 /* of Newton's method, which needs some five */
};

static const double log_2 = 0.69314718055994530942;
static const double series_until = 0.2;

/* ln Gamma(x + ½) - (x ln x - x) - ln(2π)/2 at 0, 1, …, 15. */
static const double small_half[SMALL] = {
    -0.346573590279972654708, -0.039720770839917964125, -0.020550023851644200982,
    -0.013801796861927591150, -0.010379406841792996614, -0.008314127756458320906,
    -0.006933288715861218133, -0.005945339833132922359, -0.005203609342362456056,
    -0.004626308433378704325, -0.004164243741365948799, -0.003786057419507406217,
    -0.003470818724230762902, -0.003204023959949169057, -0.002975306129208438909,
    -0.002777058622210107767,
};

/* The same by Stirling's series, whose coefficients are B_2k(½) / (2k (2k-1)). x is whole. */
static double half_residue(double x)
{
    if (x < SMALL)
        return small_half[(int)x];
    double y = 1 / x, z = y * y;
    return -y * (1.0 / 24 -
                 z * (7.0 / 2880 - z * (31.0 / 40320 - z * (127.0 / 215040 - z * 511 / 608256))));
}

/* e^t - 1 - t, given e^t - 1; t <= 0. */
static double exp_excess(double t, double expm1_t)
{
    if (t < -series_until)
        return expm1_t - t;
    double sum = 1;
    for (int k = 13; k >= 3; k--)
        sum = 1 + sum * t / k;
    return sum * t * t / 2;
}

/* y - ln(1+y), y >= 0: with v = y / (2+y), ln(1+y) = 2 atanh v and y - 2v = yv. */
static double log_excess(double y)
{
    if (y > series_until)
        return y - log1p(y);
    double v = y / (2 + y), square = v * v, sum = 0;
    for (int odd = 19; odd >= 3; odd -= 2)
        sum = 1.0 / odd + sum * square;
    return v * (y - 2 * square * sum);
}

/* The quadratic with its next term, or the line, whichever is farther out. */
static double first_guess(double a, double b, double limit)
{
    double n = a + b, square = 2 * limit * b / (a * n), root = sqrt(square);
    double bent = root * (1 + fmin(root * (n + a) / (6 * b), 0.5));
    return -fmax(bent, limit / a);
}

/*
 * The end of a > 0 successes and b failures below the share, as its t. Newton's steps end when
 * they are as near as 2^-39; should they not, by a library that is worse than assumed, the
 * end is doubled until it is outside.
 */
static double find_below(double a, double b, double limit)
{
    const double least = limit * (1 + 0x1p-41), wanted = limit * (1 + 0x1p-40);
    const double most = limit * (1 + 0x1p-39);
    if (b == 0)
        return -wanted / a;
    double t = first_guess(a, b, wanted);
    for (int step = 0;; step++) {
        double e = expm1(t), y = -a / b * e;
        double d = a * exp_excess(t, e) + b * log_excess(y);
        if (d >= least && (d <= most || step >= MOST_STEPS))
            return t;
        double slope = a * e * ((a + b) / b) / (1 + y);
        t = step < MOST_STEPS ? t - (d - wanted) / slope : 2 * t;
    }
}

static double down(double x)
{
    return fmax(x * (1 - 0x1p-50) - 0x1p-1072, 0);
}

static double up(double x)
{
    return nextafter(x * (1 + 0x1p-50), 2);
}

/* The lower end. Above ½ it is what the upper end of the failures leaves, whose digits count. */
static double lower_end(double a, double b, double limit)
{
    if (a == 0)
        return 0;
    double n = a + b, t = find_below(a, b, limit), lower = a / n * exp(t);
    if (lower <= 0.5)
        return down(lower);
    return nextafter(1 - up((b - a * expm1(t)) / n), 0);
}

/* The upper end: 1 - q for the lower end q of the failures; small ones have their digits too. */
static double upper_end(double a, double b, double limit)
{
    if (b == 0)
        return 1;
    double n = a + b, t = find_below(b, a, limit), failure = b / n * exp(t);
    double upper = failure < 0.5 ? nextafter(1 - down(failure), 2) : up((a - b * expm1(t)) / n);
    return fmin(upper, 1);
}

static stat_interval find_ends(double a, double b, double limit)
{
    if (!(limit < 1e100)) /* nothing is known with so much confidence, nor with NaN */
        return (stat_interval){0, 1};
    return (stat_interval){lower_end(a, b, limit), upper_end(a, b, limit)};
}

stat_interval stat_sequence_jeffreys(uint64_t successes, uint64_t trials, double log_alpha)
{
    assert(successes <= trials && trials <= UINT64_C(1) << 53 && log_alpha < 0);
    double a = (double)successes, b = (double)(trials - successes);
    double limit =
        stat_residue((double)trials) - log_2 - half_residue(a) - half_residue(b) - log_alpha;
    return find_ends(a, b, limit);
}
