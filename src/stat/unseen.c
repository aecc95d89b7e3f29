/* SPDX-License-Identifier: MIT */
#include "stat/unseen.h"

#include <math.h>

/* Exceeds the relative error of the logarithms, the quotient and expm1 together. */
static const double tolerance = 1e-14;

double stat_unseen_log_share(uint64_t k)
{
    return -log((double)k) - log1p((double)k);
}

double stat_unseen_mass(uint64_t k, uint64_t quiet, double log_alpha)
{
    if (quiet == 0)
        return 1;
    double exponent = (log_alpha + stat_unseen_log_share(k)) / (double)quiet;
    double mass = -expm1(exponent * (1 + tolerance)) * (1 + tolerance);
    return mass < 1 ? mass : 1;
}
