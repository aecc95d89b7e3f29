/* SPDX-License-Identifier: MIT */
/*
 * Initial state of a stream. The seed determines four keys k0 … k3 (SplitMix64: Steele, Lea and Flood,
 * "Fast splittable pseudorandom number generators", OOPSLA 2014), and word i of the state is mix(mix(stream
 * + golden) ^ ki). Each word is a bijection of the stream number, so two streams of a seed do not share any
 * word of their initial states. The probability that two streams overlap later is about streams² · length /
 * 2^256.
 */
#include "stat/rng.h"

#include <assert.h>

/* 2^64 divided by the golden ratio: the increment of SplitMix64. */
static const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);

/* The output function of SplitMix64, a bijection of the 64-bit words. */
static uint64_t mix(uint64_t word)
{
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

uint64_t stat_splitmix_next(uint64_t *state)
{
    *state += golden;
    return mix(*state);
}

void stat_rng_init(stat_rng *rng, uint64_t seed, uint64_t stream)
{
    uint64_t any = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t key = stat_splitmix_next(&seed);
        rng->word[i] = mix(mix(stream + golden) ^ key);
        any |= rng->word[i];
    }
    /*
     * The state is not all zeros, which would be a fixed point: the keys of a seed differ, and so do the
     * words.
     */
    assert(any != 0);
    (void)any;
}
