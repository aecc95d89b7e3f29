/* SPDX-License-Identifier: MIT */
/*
 * Hypergeometric random numbers: the number of good items among `draws` items that are drawn without
 * replacement from `good` good and `bad` bad ones. Exact in distribution up to the rounding of doubles, for
 * populations of up to 2^53 items, in an expected time that does not grow with the population.
 */
#ifndef STAT_HYPERGEOMETRIC_H
#define STAT_HYPERGEOMETRIC_H

#include <stddef.h>
#include <stdint.h>

#include "stat/rng.h"

/* good + bad <= 2^53, draws <= good + bad. */
uint64_t stat_hypergeometric(stat_rng *rng, uint64_t good, uint64_t bad, uint64_t draws);

/*
 * The multivariate distribution, for `count` kinds of items with sizes[i] items of kind i. Sets counts[i]
 * to the number of drawn items of kind i; they sum to `draws`. counts may be the same array as sizes.
 */
void stat_hypergeometric_many(stat_rng *rng, const uint64_t *sizes, size_t count, uint64_t draws,
                              uint64_t *counts);

#endif
