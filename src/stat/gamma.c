/* SPDX-License-Identifier: MIT */
#include "stat/gamma.h"

#include <float.h>
#include <math.h>

/* A normal variate by the polar method (Marsaglia and Bray 1964); the second one is not used. */
static double normal(stat_rng *rng)
{
    for (;;) {
        double x = 2 * stat_rng_open(rng) - 1, y = 2 * stat_rng_open(rng) - 1, s = x * x + y * y;
        if (s > 0 && s < 1)
            return x * sqrt(-2 * log(s) / s);
    }
}

/* For shape >= 1. */
static double large(stat_rng *rng, double shape)
{
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = normal(rng), v = 1 + c * x;
        if (v <= 0)
            continue;
        v = v * v * v;
        double u = stat_rng_open(rng);
        if (log(u) < 0.5 * x * x + d - d * v + d * log(v))
            return d * v;
    }
}

/* A variate of shape + 1, times u^(1/shape), has this shape. */
double stat_gamma(stat_rng *rng, double shape)
{
    double boost = shape < 1 ? log(stat_rng_open(rng)) / shape : 0;
    double made = large(rng, shape < 1 ? shape + 1 : shape) * exp(boost);
    return made > DBL_MIN ? made : DBL_MIN;
}
