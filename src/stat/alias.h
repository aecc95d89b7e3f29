/* SPDX-License-Identifier: MIT */
/*
 * Alias tables: drawing one of `count` outcomes with given weights in constant
 * time, from one 64-bit random word (Walker, "An efficient method for
 * generating discrete random variables with general distributions", 1977;
 * built in linear time as by Vose, 1991).
 *
 * A table is `count` slots, without a header, so that many tables lie in one
 * pool:
 *
 *     slot      0           1           2
 *            ┌───────┐   ┌───────┐   ┌───────┐
 *            │ alias │   │   1   │   │ alias │   a random slot, and a random height:
 *            │  = 1  │   │       │   │  = 1  │   below the threshold the slot's own
 *            ├───────┤   │       │   ├───────┤   outcome, above it the alias
 *            │   0   │   │       │   │   2   │
 *            └───────┘   └───────┘   └───────┘
 *
 * Invariant: an outcome of weight 0 has threshold 0 and is nobody's alias.
 *
 * Errors are absolute: a probability is off by at most count · 2^-52, from the
 * rounding of sums. The threshold of an outcome lighter than the mean is right
 * to a relative count · 2^-52 and 2^-64 of its slot; the latter is 5e-6 of a
 * weight of 1e-14 slots, and a weight of less than 2^-64 slots is never drawn.
 * And since the slots share 2^64 draws, another 2^-64 for each.
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

/* Fills `count` slots; needs no other memory. The weights are checked (stat/weights.h). */
opac_status stat_alias_build(const double *weights, uint32_t count, stat_alias_slot *slots,
                             opac_error *error);

/*
 * The outcome of a random word. The high word of draw · count is the slot and the low word, what
 * is left of the draw's randomness, is the height. The choice is made by a mask:
 * as a branch it would be mispredicted half of the time.
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
