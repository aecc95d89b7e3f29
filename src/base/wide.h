/* SPDX-License-Identifier: MIT */
/*
 * Doubles of twice the length, for sums and products of probabilities over
 * millions of millions of steps: the unevaluated sum of two doubles. Numbers
 * are not negative, so that errors are relative: a sum and a product are right
 * to BASE_WIDE_ROUNDING (Joldes, Muller and Popescu, "Tight and rigorous error bounds
 * for basic building blocks of double-word arithmetic", 2017: 3 · 2^-106 and
 * 5 · 2^-106), as long as they are above 1e-280.
 */
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

#include <math.h>

#include "base/ratio.h"

#define BASE_WIDE_ROUNDING 0x1p-103

typedef struct base_wide {
    double high, low;
} base_wide;

static inline base_wide base_wide_of(double x)
{
    return (base_wide){x, 0};
}

/* a + b exactly, for |a| >= |b| (Dekker), and for any (Knuth). */
static inline base_wide base_wide_quick_sum(double a, double b)
{
    double sum = a + b;
    return (base_wide){sum, b - (sum - a)};
}

static inline base_wide base_wide_exact_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (base_wide){sum, (a - (sum - part)) + (b - part)};
}

static inline base_wide base_wide_add(base_wide a, base_wide b)
{
    base_wide sum = base_wide_exact_sum(a.high, b.high), rest = base_wide_exact_sum(a.low, b.low);
    sum = base_wide_quick_sum(sum.high, sum.low + rest.high);
    return base_wide_quick_sum(sum.high, sum.low + rest.low);
}

/* The one that may be negative. */
static inline base_wide base_wide_subtract(base_wide a, base_wide b)
{
    return base_wide_add(a, (base_wide){-b.high, -b.low});
}

static inline base_wide base_wide_multiply(base_wide a, base_wide b)
{
    double product = a.high * b.high, rest = fma(a.high, b.high, -product);
    return base_wide_quick_sum(product, rest + fma(a.high, b.low, a.low * b.high));
}

/* b is not 0. Right to a few units of BASE_WIDE_ROUNDING. */
static inline base_wide base_wide_divide(base_wide a, base_wide b)
{
    double quotient = a.high / b.high;
    base_wide rest = base_wide_subtract(a, base_wide_multiply(b, base_wide_of(quotient)));
    return base_wide_quick_sum(quotient, rest.high / b.high);
}

/*
 * The simplest fraction that rounds to the double: a person who wrote 0.1 or
 * 1/3 meant it. 0 < x <= 1.
 */
base_wide base_wide_of_fraction(double x);

#endif
