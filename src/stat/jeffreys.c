/* SPDX-License-Identifier: MIT */
/*
 * The interval of the mixture with Jeffreys' prior. With a successes and b failures, n = a + b and q = 1 -
 * p, it consists of the p with
 *
 *     D(p) = a ln(a / np) + b ln(b / nq)  <=  C = ln(a^a b^b / n^n) - ln B(a+½, b+½) + ln π - ln α.
 *
 * D is n times the divergence of p from the share a/n, and C grows with ln n only. In the textbook form
 * both sides are as large as n, and for n = 2^53 their difference has no correct digit; here each term is
 * positive or not much larger than the sum.
 *
 * Lower end. Let p = (a/n) e^t with t < 0. Then
 *
 *     D = a (e^t - 1 - t) + b (y - ln(1+y)),    y = (a/b) (1 - e^t).
 *
 * D is convex in t and decreases to 0 at t = 0. So the first step of Newton's method leads to a point
 * outside of the interval (or on its end), wherever it begins, and the following steps approach the end
 * from outside. The initial guess uses that D'' is at most an/b, its value at 0, and D <= -at. The upper
 * end is 1 minus the lower end for the failures.
 *
 * Rounding. Assume that the functions of the mathematical library have errors of at most 2 units of 2^-52.
 * Then the computed D has a relative error of at most 60 units (the cancellation of e^t - 1 against t, and
 * of ln(1+y) against y, costs a factor of 11 at the limit of the series). C has an absolute error of at
 * most 2e-14, which is a relative 3e-14 because C >= ln 2. Together this is below 2^-44. The accepted t has
 * a computed D >= C (1 + 2^-41). The end computed from t has an error of at most seven units of 2^-53 (four
 * for e^t, one for each other operation); eight are allowed, and four units in the last place among
 * subnormal numbers.
 */
#include "stat/sequence.h"

#include <assert.h>
#include <math.h>

#include "stat/density.h"

enum {
    SMALL = 16,     /* from this on, the error of five terms of the series is below 2e-16 */
    MOST_STEPS = 99 /* steps of Newton's method, which needs about five */
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

/* The same for any integer x; by Stirling's series, whose coefficients are B_2k(½) / (2k (2k-1)). */
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

/* The quadratic bound with its next term, or the linear bound, whichever is farther outside. */
static double first_guess(double a, double b, double limit)
{
    double n = a + b, square = 2 * limit * b / (a * n), root = sqrt(square);
    double bent = root * (1 + fmin(root * (n + a) / (6 * b), 0.5));
    return -fmax(bent, limit / a);
}

/*
 * The lower end for a > 0 successes and b failures, as its t. Newton's method stops within a relative
 * 2^-39. If it does not, because the mathematical library is less accurate than assumed, t is doubled until
 * it is outside.
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

/* The lower end. Above ½ it is computed as 1 minus the upper end for the failures, which is more precise. */
static double lower_end(double a, double b, double limit)
{
    if (a == 0)
        return 0;
    double n = a + b, t = find_below(a, b, limit), lower = a / n * exp(t);
    if (lower <= 0.5)
        return down(lower);
    return nextafter(1 - up((b - a * expm1(t)) / n), 0);
}

/*
 * The upper end is 1 - q for the lower end q of the failures; below ½ it is computed without this
 * difference.
 */
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
    if (!(limit < 1e100)) /* such a small alpha excludes no p; also for NaN */
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
