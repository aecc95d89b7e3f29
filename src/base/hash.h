/* SPDX-License-Identifier: MIT */
/*
 * 64-bit hashes of byte strings and of words, for tables: every bit of the
 * result is fit for use, so that a table may take its index from the top and
 * its tag from what remains.
 *
 * The values are fixed: no seed, and the same on every machine, so that what
 * depends on them (nothing but the order of probing) repeats. They are not
 * cryptographic: who knows the constants can make keys collide.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Some 16 bytes a step; bytes may be NULL when length is 0. */
uint64_t base_hash_bytes(const void *bytes, size_t length);

/*
 * FNV-1a of 64 bits (Fowler, Noll, Vo), a byte a step, for digests that other
 * programs can compute again. Begins with BASE_FNV_BEGIN, and goes on from what
 * it returned.
 */
#define BASE_FNV_BEGIN UINT64_C(0xCBF29CE484222325)
uint64_t base_hash_fnv(uint64_t before, const void *bytes, size_t length);

/*
 * A bijection of the words (different words never collide) in which each input
 * bit flips each output bit about half the time: the finalizer of SplitMix64
 * (Steele, Lea, Flood 2014), after Stafford's "Mix13".
 */
static inline uint64_t base_hash_word(uint64_t word)
{
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

#endif
