/* SPDX-License-Identifier: MIT */
/*
 * Alias tables: sample one of `count` outcomes with given weights in constant time, from one random word of
 * 64 bits (Walker, "An efficient method for generating discrete random variables with general
 * distributions", 1977; built in linear time as by Vose, 1991).
 *
 * A table consists of `count` slots, without a header, so that many tables fit in one array:
 *
 *     slot      0           1           2
 *            ┌───────┐   ┌───────┐   ┌───────┐
 *            │ alias │   │   1   │   │ alias │   sample a slot and a height: below the
 *            │  = 1  │   │       │   │  = 1  │   threshold the outcome is the slot's
 *            ├───────┤   │       │   ├───────┤   own, above it the alias
 *            │   0   │   │       │   │   2   │
 *            └───────┘   └───────┘   └───────┘
 *
 * Invariant: an outcome of weight 0 has threshold 0 and is not the alias of any slot.
 *
 * Errors. The absolute error of a probability is at most count · 2^-52, from the rounding of sums. The
 * threshold of an outcome lighter than the mean has a relative error of count · 2^-52 and an absolute one of
 * 2^-64 slots. The latter is 5e-6 of a weight of 1e-14 slots; a weight below 2^-64 slots is never sampled.
 * Distributing 2^64 random words over the slots adds an error of 2^-64 for each slot.
 */
#ifndef STAT_ALIAS_H
#define STAT_ALIAS_H

#include <stdint.h>

#include "base/bits.h"
#include "base/error.h"
#include "stat/rng.h"

typedef struct stat_alias_slot {
    uint64_t threshold; /* in units of 2^-64 */
    uint32_t alias;
} stat_alias_slot;

/* Fills `count` slots, without other memory. Fails if the weights are invalid (stat/weights.h). */
opac_status stat_alias_build(const double *weights, uint32_t count, stat_alias_slot *slots,
                             opac_error *error);

/*
 * The outcome for a random word. The high word of draw · count is the slot; the low word, which contains the
 * remaining randomness, is the height. The outcome is selected by a mask, because a branch would be
 * mispredicted half of the time.
 */
static inline uint32_t stat_alias_pick(const stat_alias_slot *slots, uint32_t count, uint64_t draw)
{
    uint64_t height, slot = base_multiply_high(draw, count, &height);
    uint32_t own = (uint32_t)slot, alias = slots[slot].alias;
    uint32_t is_own = -(uint32_t)(height < slots[slot].threshold);
    return alias ^ ((alias ^ own) & is_own);
}

static inline uint32_t stat_alias_draw(const stat_alias_slot *slots, uint32_t count, stat_rng *rng)
{
    return stat_alias_pick(slots, count, stat_rng_next(rng));
}

#endif
