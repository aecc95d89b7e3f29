/* SPDX-License-Identifier: MIT */
/*
 * Double-double numbers: the unevaluated sum of two doubles, with about 106 bits, for numbers that a double
 * cannot represent: a ceiling above 2^53, or sums and products of probabilities over 10^12 steps.
 *
 * Addition, multiplication and division follow Dekker, "A floating-point technique for extending the
 * available precision" (1971), with the error bounds of Joldes, Muller and Popescu, "Tight and rigorous
 * error bounds for basic building blocks of double-word arithmetic" (2017): the relative error is at most 3
 * · 2^-106 for a sum of numbers of the same sign, and 5 · 2^-106 for a product; both are below
 * BASE_DD_ROUNDING. A quotient that is a double-double number is exact.
 *
 * Invariant: high is the sum rounded to a double. Numbers must not overflow, nor be below 1e-250, where the
 * errors of products underflow.
 */
#ifndef BASE_DOUBLE_DOUBLE_H
#define BASE_DOUBLE_DOUBLE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define BASE_DD_ROUNDING 0x1p-103

typedef struct base_dd {
    double high, low;
} base_dd;

static inline base_dd base_dd_of(double x)
{
    return (base_dd){x, 0};
}

base_dd base_dd_of_u64(uint64_t x);

/*
 * The simplest fraction that rounds to the double, which is what the user meant by 0.1 or 1/3. Requires
 * 0 < x <= 1.
 */
base_dd base_dd_of_fraction(double x);

/* a + b exactly: for |a| >= |b| (Dekker), and for any a and b (Knuth). */
static inline base_dd base_dd_quick_sum(double a, double b)
{
    double sum = a + b;
    return (base_dd){sum, b - (sum - a)};
}

static inline base_dd base_dd_exact_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (base_dd){sum, (a - (sum - part)) + (b - part)};
}

static inline base_dd base_dd_exact_product(double a, double b)
{
    double product = a * b;
    return (base_dd){product, fma(a, b, -product)};
}

static inline base_dd base_dd_negate(base_dd a)
{
    return (base_dd){-a.high, -a.low};
}

static inline base_dd base_dd_add(base_dd a, base_dd b)
{
    base_dd sum = base_dd_exact_sum(a.high, b.high), rest = base_dd_exact_sum(a.low, b.low);
    sum = base_dd_quick_sum(sum.high, sum.low + rest.high);
    return base_dd_quick_sum(sum.high, sum.low + rest.low);
}

static inline base_dd base_dd_subtract(base_dd a, base_dd b)
{
    return base_dd_add(a, base_dd_negate(b));
}

static inline base_dd base_dd_multiply(base_dd a, base_dd b)
{
    base_dd product = base_dd_exact_product(a.high, b.high);
    double cross = fma(a.high, b.low, a.low * b.high);
    return base_dd_quick_sum(product.high, product.low + cross);
}

static inline bool base_dd_less(base_dd a, base_dd b)
{
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

base_dd base_dd_divide(base_dd a, base_dd b);        /* b is not 0 */
base_dd base_dd_sqrt(base_dd a);                     /* a >= 0 */
base_dd base_dd_power(base_dd a, uint64_t exponent); /* relative error: exponent · 2^-104 */

base_dd base_dd_log2(void);       /* ln 2 */
base_dd base_dd_log(base_dd a);   /* ln a; a > 0, any double included, also subnormal ones */
base_dd base_dd_log1p(base_dd a); /* ln(1 + a); a > -1 */

/* The least integer >= a; false if it is negative or above UINT64_MAX. */
bool base_dd_ceiling(base_dd a, uint64_t *result);

/* A double that is at least the exact value, if a is too small by a relative error of at most 1e-28. */
double base_dd_round_up(base_dd a);

#endif
