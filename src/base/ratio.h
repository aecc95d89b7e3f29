/* SPDX-License-Identifier: MIT */
/*
 * Exact fractions of 64-bit integers, for probabilities such as 1/3 and 0.1.
 *
 * Ratios are in lowest terms, with a positive denominator. Arithmetic is exact; if the result does not fit,
 * or an operand is unknown, the result is unknown, which is represented by the denominator 0. A zeroed
 * ratio is unknown.
 */
#ifndef BASE_RATIO_H
#define BASE_RATIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct base_ratio {
    int64_t numerator, denominator;
} base_ratio;

static inline bool base_ratio_is_known(base_ratio ratio)
{
    return ratio.denominator != 0;
}

static inline base_ratio base_ratio_of_integer(int64_t value)
{
    return (base_ratio){value, 1};
}

/* Unknown if the denominator is 0, or the fraction in lowest terms does not fit. */
base_ratio base_ratio_of(int64_t numerator, int64_t denominator);

base_ratio base_ratio_add(base_ratio a, base_ratio b);
base_ratio base_ratio_subtract(base_ratio a, base_ratio b);
base_ratio base_ratio_multiply(base_ratio a, base_ratio b);
base_ratio base_ratio_divide(base_ratio a, base_ratio b); /* by 0: unknown */
base_ratio base_ratio_power(base_ratio a, int64_t exponent);

/* -1, 0 or 1, always exact. Both must be known. */
int base_ratio_compare(base_ratio a, base_ratio b);
/* The nearest double of a known ratio. */
double base_ratio_to_double(base_ratio ratio);

/* Parses a decimal (0.25, 1e-3) or a fraction of two decimals; unknown if the text has another form, or
 * does not fit. */
base_ratio base_ratio_parse(const char *text, size_t length);

enum {
    BASE_RATIO_SIZE = 44
};
/* Writes a known ratio, "1/3" or "2", to a buffer of BASE_RATIO_SIZE bytes, and returns the buffer. */
char *base_ratio_format(base_ratio ratio, char *buffer);

#endif
