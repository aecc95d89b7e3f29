/* SPDX-License-Identifier: MIT */
/*
 * Word operations: population count, lowest set bit and full 64×64-bit products, by built-ins of the
 * compiler or in plain C; and conversions between doubles and their bits.
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>
#include <string.h>

static inline unsigned base_popcount(uint64_t word)
{
#if defined(__GNUC__) || defined(__clang__)
    return (unsigned)__builtin_popcountll(word);
#else
    unsigned count = 0;
    for (; word != 0; word &= word - 1)
        count++;
    return count;
#endif
}

/* The index of the lowest set bit; word must not be 0. */
static inline unsigned base_lowest_bit(uint64_t word)
{
#if defined(__GNUC__) || defined(__clang__)
    return (unsigned)__builtin_ctzll(word);
#else
    unsigned index = 0;
    for (; (word & 1) == 0; word >>= 1)
        index++;
    return index;
#endif
}

/* a · b = high · 2^64 + *low. */
static inline uint64_t base_multiply_high(uint64_t a, uint64_t b, uint64_t *low)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    uint64_t a_low = a & UINT32_MAX, a_high = a >> 32;
    uint64_t b_low = b & UINT32_MAX, b_high = b >> 32;
    uint64_t bottom = a_low * b_low;
    uint64_t middle = a_high * b_low + (bottom >> 32);
    uint64_t cross = a_low * b_high + (middle & UINT32_MAX);
    *low = (cross << 32) | (bottom & UINT32_MAX);
    return a_high * b_high + (middle >> 32) + (cross >> 32);
#endif
}

static inline uint64_t base_double_to_bits(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static inline double base_bits_to_double(uint64_t word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

#endif
