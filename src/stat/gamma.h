/* SPDX-License-Identifier: MIT */
/*
 * Gamma variates, with scale 1. Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS
 * 2000: exact up to rounding, a little more than one normal variate for each.
 */
#ifndef STAT_GAMMA_H
#define STAT_GAMMA_H

#include "stat/rng.h"

/* shape > 0. The result is positive. */
double stat_gamma(stat_rng *rng, double shape);

#endif
