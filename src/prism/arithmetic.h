/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic of the PRISM language on single values, so that constants folded
 * before and expressions evaluated during exploration agree to the last bit.
 *
 * Ints have 64 bits, and what does not fit is no value: these functions say
 * false then. mod is never negative, round rounds half up.
 */
#ifndef PRISM_ARITHMETIC_H
#define PRISM_ARITHMETIC_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline bool prism_int_add(int64_t a, int64_t b, int64_t *sum)
{
    if (b >= 0 ? a > INT64_MAX - b : a < INT64_MIN - b)
        return false;
    *sum = a + b;
    return true;
}

static inline bool prism_int_subtract(int64_t a, int64_t b, int64_t *difference)
{
    if (b >= 0 ? a < INT64_MIN + b : a > INT64_MAX + b)
        return false;
    *difference = a - b;
    return true;
}

static inline bool prism_int_multiply(int64_t a, int64_t b, int64_t *product)
{
    if (a == 0 || b == 0) {
        *product = 0;
        return true;
    }
    if (a > 0 ? (b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a)
              : (b > 0 ? a < INT64_MIN / b : b < INT64_MAX / a))
        return false;
    *product = a * b;
    return true;
}

/* exponent >= 0. By squaring: a base beyond ±1 overflows within 64 steps or ends. */
static inline bool prism_int_power(int64_t base, int64_t exponent, int64_t *power)
{
    int64_t result = 1;
    while (exponent > 0) {
        if ((exponent & 1) != 0 && !prism_int_multiply(result, base, &result))
            return false;
        exponent >>= 1;
        if (exponent > 0 && !prism_int_multiply(base, base, &base))
            return false;
    }
    *power = result;
    return true;
}

/* In 0 … divisor-1; false for a divisor that is not above 0, as PRISM has it. */
static inline bool prism_int_mod(int64_t a, int64_t divisor, int64_t *rest)
{
    if (divisor <= 0)
        return false;
    int64_t remainder = a % divisor;
    *rest = remainder >= 0 ? remainder : remainder + divisor;
    return true;
}

/* A whole number as an int; false for what is none, or lies beyond 64 bits. */
static inline bool prism_int_of_real(double value, int64_t *result)
{
    if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0))
        return false;
    *result = (int64_t)value;
    return true;
}

static inline bool prism_int_floor(double value, int64_t *result)
{
    return prism_int_of_real(floor(value), result);
}

static inline bool prism_int_ceil(double value, int64_t *result)
{
    return prism_int_of_real(ceil(value), result);
}

static inline bool prism_int_round(double value, int64_t *result)
{
    double below = floor(value);
    return prism_int_of_real(value - below >= 0.5 ? below + 1 : below, result);
}

/*
 * Has a product, quotient or power of numbers that are not 0 become one that doubles do not hold to
 * their full precision, or 0? A probability that is positive must not become 0.
 */
static inline bool prism_real_underflows(double result)
{
    return fabs(result) < DBL_MIN;
}

#define PRISM_UNDERFLOW "the result is not 0, but too small for a double (below 2.3e-308)"

#define PRISM_TOO_CLOSE                                                                            \
    "the two numbers are too close to be compared, since one is not a fraction that fits"

/* NaN for a base that is not above 0 or is 1, and for a negative value. */
static inline double prism_real_log(double value, double base)
{
    if (!(base > 0) || base == 1 || isinf(base) || value < 0)
        return (double)NAN;
    return log(value) / log(base);
}

#endif
