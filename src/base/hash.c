/* SPDX-License-Identifier: MIT */
/*
 * The hash of a byte string combines two words a step by a full 64×64-bit product, whose two halves are
 * combined by exclusive or. The rest is two words, read from its two ends, which may overlap:
 *
 *     length  0        nothing
 *     length  1 … 3    first, middle and last byte
 *     length  4 … 7    first 4 bytes │ last 4 bytes
 *     length  8 … 16   first 8 bytes │ last 8 bytes
 *     length 17 …      steps of 16 bytes, then the last 16 bytes
 *
 * Overlapping reads give the same words for some strings of different lengths; so the last step includes
 * the length.
 */
#include "base/hash.h"

#include "base/bits.h"

/* The first 256 bits of the fractional part of pi. */
static const uint64_t pi0 = UINT64_C(0x243F6A8885A308D3);
static const uint64_t pi1 = UINT64_C(0x13198A2E03707344);
static const uint64_t pi2 = UINT64_C(0xA4093822299F31D0);
static const uint64_t pi3 = UINT64_C(0x082EFA98EC4E6C89);

/* Compilers produce a single load; the value does not depend on the byte order of the machine. */
static inline uint64_t read_4(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24;
}

static inline uint64_t read_8(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 |
           (uint64_t)at[7] << 56;
}

/* Since a and b are included in the result, a factor of zero does not remove the other one. */
static inline uint64_t fold(uint64_t a, uint64_t b)
{
    uint64_t low, high = base_multiply_high(a, b, &low);
    return (high ^ a) ^ (low ^ b);
}

uint64_t base_hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t state = pi0, first = 0, last = 0;
    size_t left = length;
    for (; left > 16; left -= 16, at += 16)
        state = fold(read_8(at) ^ pi1, read_8(at + 8) ^ state);
    if (length > 16) {
        first = read_8(at + left - 16);
        last = read_8(at + left - 8);
    } else if (left >= 8) {
        first = read_8(at);
        last = read_8(at + left - 8);
    } else if (left >= 4) {
        first = read_4(at);
        last = read_4(at + left - 4);
    } else if (left > 0) {
        first = (uint64_t)at[0] << 16 | (uint64_t)at[left / 2] << 8 | at[left - 1];
    }
    return fold(fold(first ^ pi1, last ^ state) ^ pi2, pi3 ^ (uint64_t)length);
}

uint64_t base_hash_fnv(uint64_t before, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        before = (before ^ at[i]) * UINT64_C(0x100000001B3);
    return before;
}
