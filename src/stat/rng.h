/* SPDX-License-Identifier: MIT */
/*
 * Random streams. stat_rng_init(&rng, seed, stream) initialises stream number `stream` of a seed. The
 * stream depends only on these two numbers, so that episode i uses the same random numbers on any thread.
 *
 * The generator is xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM
 * TOMS 2021): 256 bits of state, period 2^256 - 1, and a few additions, rotations and shifts for each
 * number. The numbers of a stream must not change between versions; a test checks them.
 *
 * Invariant: the state is never all zeros.
 */
#ifndef STAT_RNG_H
#define STAT_RNG_H

#include <assert.h>
#include <stdint.h>

#include "base/bits.h"

typedef struct stat_rng {
    uint64_t word[4];
} stat_rng;

void stat_rng_init(stat_rng *rng, uint64_t seed, uint64_t stream);

/* SplitMix64: advances *state and returns its next output. */
uint64_t stat_splitmix_next(uint64_t *state);

static inline uint64_t stat_rotate_left(uint64_t word, unsigned by)
{
    return (word << by) | (word >> (64 - by));
}

/* 64 random bits. */
static inline uint64_t stat_rng_next(stat_rng *rng)
{
    uint64_t *s = rng->word;
    uint64_t result = stat_rotate_left(s[0] + s[3], 23) + s[0];
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = stat_rotate_left(s[3], 45);
    return result;
}

/* Uniform on the multiples of 2^-53 in [0, 1). */
static inline double stat_rng_uniform(stat_rng *rng)
{
    return (double)(stat_rng_next(rng) >> 11) * 0x1p-53;
}

/*
 * Uniform on the odd multiples of 2^-53 in (0, 1): never 0 or 1, and symmetric about 1/2. Uses 52 bits,
 * because with 53 bits the greatest value would round to 1.
 */
static inline double stat_rng_open(stat_rng *rng)
{
    return ((double)(stat_rng_next(rng) >> 12) + 0.5) * 0x1p-52;
}

/*
 * Exactly uniform on 0 … bound-1; bound > 0. Lemire, "Fast random integer generation in an interval"
 * (2019): the high word of word · bound is uniform if words are rejected whose low word is below 2^64 mod
 * bound. The division that computes this remainder is rarely needed.
 */
static inline uint64_t stat_rng_below(stat_rng *rng, uint64_t bound)
{
    assert(bound > 0);
    uint64_t low, high = base_multiply_high(stat_rng_next(rng), bound, &low);
    if (low < bound) {
        uint64_t rejected = (UINT64_MAX - bound + 1) % bound;
        while (low < rejected)
            high = base_multiply_high(stat_rng_next(rng), bound, &low);
    }
    return high;
}

#endif
