/* SPDX-License-Identifier: MIT */
/*
 * For a mean below 10, inversion: the probabilities are added from 0 upwards until the sum exceeds a uniform
 * number. For larger means, rejection: the algorithm BTRS of Hörmann, "The generation of binomial random
 * variates" (1993), with its constants. A point (u, v) of the unit square yields the candidate
 * k = (2a/(1/2-|u|) + b) u + c; the squeeze accepts six in seven without computing the density.
 *
 * Two differences from the paper make n = 10^15 possible. The density is computed by the saddle-point form
 * (stat/density.h). The mean n·p is stored in two doubles, its integral part separately from its fraction, so
 * that the rounding of n·p affects neither the candidates nor their distances from the mean.
 */
#include "stat/binomial.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "stat/density.h"

static const double rejection_from = 10; /* least mean for which the constants of BTRS are proven */
static const uint64_t largest = UINT64_C(1) << 53; /* counts up to this are exact as doubles */

/* A binomial distribution with 0 < p <= 1/2 and n·p >= rejection_from. */
typedef struct distribution {
    double n;
    double mean, mean_error; /* n·p is their sum */
    double rest;             /* n·(1-p), for which double precision suffices */
} distribution;

static distribution make_distribution(double n, double p)
{
    double mean = n * p;
    return (distribution){n, mean, fma(n, p, -mean), n * (1 - p)};
}

/* ln of the probability of x, up to a constant. */
static double log_weight(const distribution *l, double x)
{
    double difference = (x - l->mean) - l->mean_error;
    return -stat_residue(x) - stat_residue(l->n - x) - stat_deviance(x, l->mean, difference) -
           stat_deviance(l->n - x, l->rest, -difference);
}

/* The hat function of BTRS, around a centre that is whole + part. */
typedef struct hat {
    double a, b, area, squeeze, whole, part;
} hat;

static hat make_hat(const distribution *l, double p)
{
    hat h;
    double deviation = sqrt(l->mean * (1 - p));
    h.b = 1.15 + 2.53 * deviation;
    h.a = -0.0873 + 0.0248 * h.b + 0.01 * p;
    h.area = (2.83 + 5.1 / h.b) * deviation;
    h.squeeze = 0.92 - 4.2 / h.b;
    h.whole = floor(l->mean);
    h.part = (l->mean - h.whole) + l->mean_error + 0.5;
    return h;
}

static uint64_t reject(stat_rng *rng, double n, double p)
{
    distribution l = make_distribution(n, p);
    hat h = make_hat(&l, p);
    double mode_weight = 0;
    for (bool have_mode = false;;) {
        double v = stat_rng_open(rng), u = stat_rng_open(rng) - 0.5;
        double edge = 0.5 - fabs(u);
        double x = h.whole + floor((2 * h.a / edge + h.b) * u + h.part);
        if (x < 0 || x > n)
            continue;
        if (edge >= 0.07 && v <= h.squeeze)
            return (uint64_t)x;
        if (!have_mode)
            mode_weight = log_weight(&l, floor((n + 1) * p));
        have_mode = true;
        double ratio = v * h.area / (h.a / (edge * edge) + h.b);
        if (log(ratio) <= log_weight(&l, x) - mode_weight)
            return (uint64_t)x;
    }
}

/*
 * (1-p)^n does not underflow: for p <= 1/2 and n·p < 10 it is above e^-14. Values above 110 have a
 * probability below 1e-70. If, because of rounding, u exceeds the sum of the probabilities, a new u is
 * sampled.
 */
static uint64_t invert(stat_rng *rng, double n, double p)
{
    double odds = p / (1 - p), none = exp(n * log1p(-p)), last = fmin(n, 110);
    for (;;) {
        double u = stat_rng_uniform(rng), probability = none;
        for (double x = 0; x <= last; x++) {
            if (u < probability)
                return (uint64_t)x;
            u -= probability;
            probability *= odds * ((n - x) / (x + 1));
        }
    }
}

uint64_t stat_binomial(stat_rng *rng, uint64_t n, double p)
{
    assert(p >= 0 && p <= 1);
    if (n == 0 || p == 0)
        return 0;
    if (p > 0.5) /* 1 - p is exact here */
        return n - stat_binomial(rng, n, 1 - p);
    if (n > largest)
        return stat_binomial(rng, n / 2, p) + stat_binomial(rng, n - n / 2, p);
    double trials = (double)n;
    return trials * p < rejection_from ? invert(rng, trials, p) : reject(rng, trials, p);
}
