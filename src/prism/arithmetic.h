/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic of the PRISM language on single values. Constant folding and compiled code use the same
 * functions, so that their results agree to the last bit.
 *
 * Ints have 64 bits; a function returns false if the result does not fit. mod is never negative; round rounds
 * half up.
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

/* Requires exponent >= 0. Repeated squaring: at most 64 iterations, since the exponent has 63 bits. */
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

/* The result is in 0 … divisor-1. False if the divisor is not positive, as in PRISM. */
static inline bool prism_int_mod(int64_t a, int64_t divisor, int64_t *rest)
{
    if (divisor <= 0)
        return false;
    int64_t remainder = a % divisor;
    *rest = remainder >= 0 ? remainder : remainder + divisor;
    return true;
}

/* Converts an integral value to an int; false if it is NaN or does not fit into 64 bits. */
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
 * Whether the result of a multiplication, division or power with operands other than 0 is subnormal or 0.
 * Such results are rejected: they have less than the full precision, and a positive probability must not
 * become 0.
 */
static inline bool prism_real_underflows(double result)
{
    return fabs(result) < DBL_MIN;
}

#define PRISM_UNDERFLOW "the result is not 0 but too small for a double (below 2.3e-308)"

#define PRISM_TOO_CLOSE                                                                            \
    "the two numbers are too close to each other to be compared, as one of them is not known "     \
    "exactly"

#define PRISM_NEGATIVE_EXPONENT                                                                    \
    "an int cannot have a negative exponent; multiply the base by 1.0 to get a real"

#define PRISM_NOT_ROUNDABLE                                                                        \
    "floor, ceil or round of a value that is not a number or too large for an int"

/* NaN if the base is not positive, is 1 or is infinite, and if the value is negative. */
static inline double prism_real_log(double value, double base)
{
    if (!(base > 0) || base == 1 || isinf(base) || value < 0)
        return (double)NAN;
    return log(value) / log(base);
}

#endif
