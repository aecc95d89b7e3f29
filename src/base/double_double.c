/* SPDX-License-Identifier: MIT */
/* Double-double arithmetic with fma; logarithms by the series of atanh, with at most about 25 terms. */
#include "base/double_double.h"

#include <assert.h>
#include <math.h>

base_dd base_dd_of_u64(uint64_t x)
{
    return base_dd_exact_sum((double)(x >> 32) * 0x1p32, (double)(x & UINT32_MAX));
}

static base_dd scale(base_dd a, double by)
{
    return base_dd_multiply(a, base_dd_of(by));
}

/* Long division: three digits of 53 bits, each from the exact remainder so far. */
base_dd base_dd_divide(base_dd a, base_dd b)
{
    double first = a.high / b.high;
    base_dd rest = base_dd_subtract(a, scale(b, first));
    double second = rest.high / b.high;
    rest = base_dd_subtract(rest, scale(b, second));
    base_dd quotient = base_dd_quick_sum(first, second);
    return base_dd_add(quotient, base_dd_of(rest.high / b.high));
}

/* One step of Newton's method from the double root. */
base_dd base_dd_sqrt(base_dd a)
{
    assert(a.high >= 0);
    if (a.high == 0)
        return base_dd_of(0);
    double root = sqrt(a.high);
    base_dd rest = base_dd_subtract(a, base_dd_exact_product(root, root));
    return base_dd_quick_sum(root, rest.high / (2 * root));
}

base_dd base_dd_power(base_dd a, uint64_t exponent)
{
    base_dd result = base_dd_of(1);
    for (;;) {
        if (exponent & 1)
            result = base_dd_multiply(result, a);
        exponent >>= 1;
        if (exponent == 0)
            return result;
        a = base_dd_multiply(a, a);
    }
}

base_dd base_dd_log2(void)
{
    return (base_dd){0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
}

/* 2 atanh(s) = ln((1+s)/(1-s)) by its series; |s| < 0.18, so at most 25 terms count. */
static base_dd twice_atanh(base_dd s)
{
    base_dd square = base_dd_multiply(s, s), power = s, sum = s;
    for (int odd = 3; odd < 60; odd += 2) {
        power = base_dd_multiply(power, square);
        base_dd term = base_dd_divide(power, base_dd_of(odd));
        sum = base_dd_add(sum, term);
        if (fabs(term.high) < 1e-34 * fabs(sum.high))
            break;
    }
    return scale(sum, 2);
}

/* ln a = exponent · ln 2 + ln m with m in [1/sqrt 2, sqrt 2): no cancellation between the two. */
base_dd base_dd_log(base_dd a)
{
    assert(a.high > 0);
    int exponent;
    if (frexp(a.high, &exponent) < 0.70710678118654752)
        exponent--;
    base_dd m = {ldexp(a.high, -exponent), ldexp(a.low, -exponent)};
    base_dd one = base_dd_of(1);
    base_dd s = base_dd_divide(base_dd_subtract(m, one), base_dd_add(m, one));
    return base_dd_add(scale(base_dd_log2(), exponent), twice_atanh(s));
}

/* ln(1+a) = 2 atanh(a / (2+a)), which keeps the digits of a small a. */
base_dd base_dd_log1p(base_dd a)
{
    if (fabs(a.high) > 0.25)
        return base_dd_log(base_dd_add(base_dd_of(1), a));
    return twice_atanh(base_dd_divide(a, base_dd_add(base_dd_of(2), a)));
}

/* If the high part is not an integer, it determines the ceiling; else the low part is rounded up, too. */
bool base_dd_ceiling(base_dd a, uint64_t *result)
{
    double high = ceil(a.high), low = high == a.high ? ceil(a.low) : 0;
    if (!(high + low >= 0) || high > 0x1p64 || (high == 0x1p64 && low >= 0))
        return false;
    uint64_t magnitude = (uint64_t)fabs(low);
    if (high == 0x1p64)
        *result = UINT64_MAX - (magnitude - 1);
    else
        *result = low < 0 ? (uint64_t)high - magnitude : (uint64_t)high + magnitude;
    return true;
}

double base_dd_round_up(base_dd a)
{
    return a.low < -1e-28 * fabs(a.high) ? a.high : nextafter(a.high, INFINITY);
}

/* ---- the simplest fraction of a double ---- */

/* Integers up to this limit are doubles. */
#define LARGEST 0x1p52

/* a / b for integers: the quotient, and the quotient of the remainder. */
static base_dd divide_whole(double a, double b)
{
    double first = a / b, rest = fma(-first, b, a);
    double second = rest / b;
    return base_dd_quick_sum(first, second);
}

/* The first convergent of the continued fraction that rounds to x. */
base_dd base_dd_of_fraction(double x)
{
    double above = 1, below = 0, above_before = 0, below_before = 1; /* convergents of 1/x */
    double rest = 1 / x;
    for (int i = 0; i < 40 && rest <= LARGEST; i++) {
        double whole = floor(rest);
        double next_above = whole * above + above_before, next_below = whole * below + below_before;
        if (next_above > LARGEST || next_below > LARGEST)
            break;
        above_before = above, above = next_above;
        below_before = below, below = next_below;
        if (below > 0 && below / above == x)
            return divide_whole(below, above);
        if (rest == whole)
            break;
        rest = 1 / (rest - whole);
    }
    return base_dd_of(x);
}
