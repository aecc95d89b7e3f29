/* SPDX-License-Identifier: MIT */
/*
 * Binomial random numbers, exact in distribution up to the rounding of doubles, for any number of trials;
 * tested up to 10^15. The expected cost does not grow with n or p (beyond 2^53 trials it grows with n /
 * 2^53).
 *
 * Uniform numbers have 52 bits. If the distribution spreads over millions of values, the relative error of
 * the probability of a single value is therefore about the standard deviation times 2^-51 (1e-8 for 10^15
 * fair trials), without bias between neighbouring values.
 */
#ifndef STAT_BINOMIAL_H
#define STAT_BINOMIAL_H

#include <stdint.h>

#include "stat/rng.h"

/* The number of successes in n trials of probability p, 0 <= p <= 1. */
uint64_t stat_binomial(stat_rng *rng, uint64_t n, double p);

#endif
