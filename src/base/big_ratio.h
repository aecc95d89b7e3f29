/* SPDX-License-Identifier: MIT */
/*
 * Exact fractions of integers of up to 2304 bits, for intermediate results that do not fit a base_ratio:
 * 1 - 1e-20, or 0.9999999^3.
 *
 * Fractions are in lowest terms, with a positive denominator. Every function is exact, or returns false if
 * the result does not fit; then the result is undefined. The size is fixed, so that nothing is allocated,
 * and results do not depend on whether GMP is available.
 *
 * Cost: quadratic in the length; some microseconds for 128 bits.
 */
#ifndef BASE_BIG_RATIO_H
#define BASE_BIG_RATIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ratio.h"

enum {
    BASE_BIG_LIMBS = 72 /* of 32 bits each */
};

/* Little-endian, without leading zeros: the number 0 has no limbs. */
typedef struct base_big_integer {
    unsigned count;
    uint32_t limbs[BASE_BIG_LIMBS];
} base_big_integer;

typedef struct base_big {
    bool negative;
    base_big_integer top, bottom;
} base_big;

/* The ratio must be known. */
void base_big_of_ratio(base_ratio ratio, base_big *result);
/* Unknown if it does not fit. */
base_ratio base_big_to_ratio(const base_big *a);
/* Parses a decimal (0.25, 1e-3) or a fraction of two decimals. */
bool base_big_parse(const char *text, size_t length, base_big *result);

/* The result may be an operand. */
bool base_big_add(const base_big *a, const base_big *b, base_big *result);
bool base_big_subtract(const base_big *a, const base_big *b, base_big *result);
bool base_big_multiply(const base_big *a, const base_big *b, base_big *result);
bool base_big_divide(const base_big *a, const base_big *b, base_big *result); /* b is not 0 */

/* -1, 0 or 1. */
int base_big_sign(const base_big *a);
int base_big_compare(const base_big *a, const base_big *b);

/* The largest integer that is at most a; whether the rest is 0, and whether it is at least 1/2. */
bool base_big_floor(const base_big *a, int64_t *whole, bool *is_whole, bool *is_half);

/*
 * |a| = (quotient + rest) · 2^exponent with 0 <= rest < 1, where the quotient has at least 63 bits, and its
 * last bit is set if the rest is not 0, so that the quotient rounds to a double in the same way as a. a must
 * not be 0.
 */
uint64_t base_big_quotient(const base_big *a, int *exponent);

#endif
