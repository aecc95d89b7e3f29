/* SPDX-License-Identifier: MIT */
/* Reproducible random numbers for tests, independent of what the library draws. */
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include <stdint.h>

/*
 * The state to begin with: the test's own number, so that every run is the
 * same, or, in `make soak`, which sets OMEGAPAC_SOAK to a number, another one
 * that follows from both.
 */
uint64_t random_seed(uint64_t own);

/* How many rounds of a sweep: a few in the quick tests, all where OMEGAPAC_ROUNDS is "all", as in
 * those that suite_test(… ALL) adds to the heavier ones. */
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
