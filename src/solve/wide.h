/* SPDX-License-Identifier: MIT */
/*
 * Doubles of twice the length, for sums and products of probabilities over
 * millions of millions of steps: the unevaluated sum of two doubles. Numbers
 * are not negative, so that errors are relative: a sum and a product are right
 * to SOLVE_WIDE_ROUNDING (Joldes, Muller and Popescu, "Tight and rigorous error bounds
 * for basic building blocks of double-word arithmetic", 2017: 3 · 2^-106 and
 * 5 · 2^-106), as long as they are above 1e-280.
 */
#ifndef SOLVE_WIDE_H
#define SOLVE_WIDE_H

#include <math.h>

#include "base/ratio.h"

#define SOLVE_WIDE_ROUNDING 0x1p-103

typedef struct solve_wide {
    double high, low;
} solve_wide;

static inline solve_wide solve_wide_of(double x)
{
    return (solve_wide){x, 0};
}

/* a + b exactly, for |a| >= |b| (Dekker), and for any (Knuth). */
static inline solve_wide solve_wide_quick_sum(double a, double b)
{
    double sum = a + b;
    return (solve_wide){sum, b - (sum - a)};
}

static inline solve_wide solve_wide_exact_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (solve_wide){sum, (a - (sum - part)) + (b - part)};
}

static inline solve_wide solve_wide_add(solve_wide a, solve_wide b)
{
    solve_wide sum = solve_wide_exact_sum(a.high, b.high),
               rest = solve_wide_exact_sum(a.low, b.low);
    sum = solve_wide_quick_sum(sum.high, sum.low + rest.high);
    return solve_wide_quick_sum(sum.high, sum.low + rest.low);
}

/* The one that may be negative. */
static inline solve_wide solve_wide_subtract(solve_wide a, solve_wide b)
{
    return solve_wide_add(a, (solve_wide){-b.high, -b.low});
}

static inline solve_wide solve_wide_multiply(solve_wide a, solve_wide b)
{
    double product = a.high * b.high, rest = fma(a.high, b.high, -product);
    return solve_wide_quick_sum(product, rest + fma(a.high, b.low, a.low * b.high));
}

/* b is not 0. Right to a few units of SOLVE_WIDE_ROUNDING. */
static inline solve_wide solve_wide_divide(solve_wide a, solve_wide b)
{
    double quotient = a.high / b.high;
    solve_wide rest = solve_wide_subtract(a, solve_wide_multiply(b, solve_wide_of(quotient)));
    return solve_wide_quick_sum(quotient, rest.high / b.high);
}

/*
 * The simplest fraction that rounds to the double: a person who wrote 0.1 or
 * 1/3 meant it. 0 < x <= 1.
 */
solve_wide solve_wide_of_fraction(double x);

#endif
