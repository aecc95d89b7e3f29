/* SPDX-License-Identifier: MIT */
/* Reproducible random numbers for tests, independent of the generator of the library. */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include <stdint.h>

/*
 * The initial state for a seed. It is the seed, so that every run is the same, unless OMEGAPAC_SOAK is set
 * to a number, as `make soak` does; then it depends on both.
 */
uint64_t random_seed(uint64_t own);

/*
 * The number of rounds of a property test: a few in quick tests, all if OMEGAPAC_ROUNDS is "all", as in the
 * tests that suite_test(… ALL) adds.
 */
uint32_t random_rounds(uint32_t few, uint32_t all);

/* A 64-bit linear congruential generator; the low half of a state is not used. */
static inline uint32_t random_u32(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

static inline uint64_t random_u64(uint64_t *state)
{
    uint64_t high = random_u32(state);
    return high << 32 | random_u32(state);
}

/* 0 … bound-1, nearly uniform for small bounds. */
static inline uint32_t random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(((uint64_t)random_u32(state) * bound) >> 32);
}

#endif
