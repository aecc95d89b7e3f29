/* SPDX-License-Identifier: MIT */
/*
 * Hypergeometric random numbers: how many good items are among `draws` items
 * drawn without replacement from `good` good and `bad` bad ones. Exact in law
 * up to the rounding of doubles, for populations of up to 2^53 items, in an
 * expected time that does not grow with them.
 */
#ifndef STAT_HYPERGEOMETRIC_H
#define STAT_HYPERGEOMETRIC_H

#include <stddef.h>
#include <stdint.h>

#include "stat/rng.h"

/* good + bad <= 2^53, draws <= good + bad. */
uint64_t stat_hypergeometric(stat_rng *rng, uint64_t good, uint64_t bad, uint64_t draws);

/*
 * The same for `count` kinds of items, sizes[i] of kind i: counts[i] of them
 * are drawn, `draws` in all, exactly. counts may be sizes itself.
 */
void stat_hypergeometric_many(stat_rng *rng, const uint64_t *sizes, size_t count, uint64_t draws,
                              uint64_t *counts);

#endif
