/* SPDX-License-Identifier: MIT */
/*
 * 64-bit hashes of byte strings and of words, for hash tables. All bits of the result are well mixed, so a
 * table may use the highest bits as the index and the other ones as a tag.
 *
 * The hashes have no seed and are the same on all machines, so that runs are reproducible. They are not
 * cryptographic: keys that collide can be constructed.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Processes 16 bytes a step; bytes may be NULL if length is 0. */
uint64_t base_hash_bytes(const void *bytes, size_t length);

/*
 * FNV-1a of 64 bits (Fowler, Noll, Vo), one byte a step, for digests that other programs can compute, too.
 * `before` is BASE_FNV_BEGIN or the hash of the preceding bytes.
 */
#define BASE_FNV_BEGIN UINT64_C(0xCBF29CE484222325)
uint64_t base_hash_fnv(uint64_t before, const void *bytes, size_t length);

/*
 * A bijection of words, so that different words never collide, in which each input bit changes each output
 * bit with probability about 1/2: the finalizer of SplitMix64 (Steele, Lea, Flood 2014), by Stafford's
 * "Mix13".
 */
static inline uint64_t base_hash_word(uint64_t word)
{
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

#endif
