/* SPDX-License-Identifier: MIT */
/*
 * With a failure the second term of E_m is 0, so the bound is the lower end of Jeffreys' interval at alpha/2.
 * Without one E_m(p) = p^(-m) (1+r)/2 with r = B(m+½, ½) / B(½, ½) = C(2m, m) / 4^m, whose root has a closed
 * form.
 *
 * Rounding. As in jeffreys.c, assume that the functions of the mathematical library have errors of at most 2
 * units of 2^-52. The computed ln r has an absolute error below 4e-14, and r is lowered by a relative 1e-13.
 * Then (1+r)/2 is in [1/2, 3/4], so that its logarithm has a relative error of at most 2^-51.2 from the
 * rounding of 1+r and 2^-51 from log. Both summands of the exponent are negative. With the sum and the division
 * its relative error is below 2^-49.7; it is lowered by 2^-49.
 */
#include "stat/success_bound.h"

#include <assert.h>
#include <math.h>

#include "stat/density.h"
#include "stat/sequence.h"

static const double log_2 = 0.69314718055994530942;

/* C(2m, m) / 4^m, rounded down. */
static double central_share(double m)
{
    return exp(stat_residue(2 * m) - 2 * stat_residue(m)) * (1 - 1e-13);
}

/* e^t rounded down, t <= 0. Above ½ it is computed as 1 minus its distance from 1, which is more precise. */
static double exp_down(double t)
{
    double x = exp(t);
    if (x <= 0.5)
        return fmax(x * (1 - 0x1p-50) - 0x1p-1072, 0);
    double distance = -expm1(t) * (1 + 0x1p-50);
    return nextafter(1 - nextafter(distance, 1), 0);
}

double stat_success_lower(uint64_t successes, uint64_t trials, double log_alpha)
{
    assert(successes <= trials);
    assert(trials <= UINT64_C(1) << 53);
    assert(log_alpha < 0);
    if (successes == 0)
        return 0;
    if (successes < trials) {
        double half = (log_alpha - log_2) * (1 + 0x1p-51); /* at most ln(alpha/2) */
        return stat_sequence_jeffreys(successes, trials, half).lower;
    }
    double m = (double)trials;
    double exponent = log_alpha + log((1 + central_share(m)) / 2);
    return exp_down(exponent / m * (1 + 0x1p-49));
}
