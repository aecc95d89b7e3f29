/* SPDX-License-Identifier: MIT */
/*
 * Binomial random numbers, exact in law up to the rounding of doubles, for any
 * number of trials; tested up to 10^15 of them. The expected cost does not grow
 * with n or p (beyond 2^53 trials: with n / 2^53).
 *
 * Uniform numbers have 52 bits. Where the law spreads over millions of values,
 * the probability of a single one is therefore off by about its deviation times
 * 2^-51 (1e-8 for 10^15 fair trials), without bias over its neighbours.
 */
#ifndef STAT_BINOMIAL_H
#define STAT_BINOMIAL_H

#include <stdint.h>

#include "stat/rng.h"

/* The number of successes in n trials of probability p, 0 <= p <= 1. */
uint64_t stat_binomial(stat_rng *rng, uint64_t n, double p);

#endif
