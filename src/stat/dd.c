/* SPDX-License-Identifier: MIT */
/* Double-double arithmetic with fma; logarithms by the series of atanh, some 25 terms at worst. */
#include "stat/dd.h"

#include <assert.h>
#include <math.h>

/* a + b exactly, for |a| >= |b| (Dekker). */
static stat_dd quick_sum(double a, double b)
{
    double sum = a + b;
    return (stat_dd){sum, b - (sum - a)};
}

/* a + b exactly (Knuth). */
static stat_dd exact_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (stat_dd){sum, (a - (sum - part)) + (b - part)};
}

static stat_dd exact_product(double a, double b)
{
    double product = a * b;
    return (stat_dd){product, fma(a, b, -product)};
}

stat_dd stat_dd_of(double x)
{
    return (stat_dd){x, 0};
}

stat_dd stat_dd_of_u64(uint64_t x)
{
    return exact_sum((double)(x >> 32) * 0x1p32, (double)(x & UINT32_MAX));
}

stat_dd stat_dd_negate(stat_dd a)
{
    return (stat_dd){-a.high, -a.low};
}

stat_dd stat_dd_add(stat_dd a, stat_dd b)
{
    stat_dd sum = exact_sum(a.high, b.high), rest = exact_sum(a.low, b.low);
    sum = quick_sum(sum.high, sum.low + rest.high);
    return quick_sum(sum.high, sum.low + rest.low);
}

stat_dd stat_dd_subtract(stat_dd a, stat_dd b)
{
    return stat_dd_add(a, stat_dd_negate(b));
}

stat_dd stat_dd_multiply(stat_dd a, stat_dd b)
{
    stat_dd product = exact_product(a.high, b.high);
    double cross = fma(a.high, b.low, a.low * b.high);
    return quick_sum(product.high, product.low + cross);
}

static stat_dd scale(stat_dd a, double by)
{
    return stat_dd_multiply(a, stat_dd_of(by));
}

/* Long division: three digits of 53 bits, each from the exact remainder so far. */
stat_dd stat_dd_divide(stat_dd a, stat_dd b)
{
    double first = a.high / b.high;
    stat_dd rest = stat_dd_subtract(a, scale(b, first));
    double second = rest.high / b.high;
    rest = stat_dd_subtract(rest, scale(b, second));
    stat_dd quotient = quick_sum(first, second);
    return stat_dd_add(quotient, stat_dd_of(rest.high / b.high));
}

/* One step of Newton's method from the double root. */
stat_dd stat_dd_sqrt(stat_dd a)
{
    assert(a.high >= 0);
    if (a.high == 0)
        return stat_dd_of(0);
    double root = sqrt(a.high);
    stat_dd rest = stat_dd_subtract(a, exact_product(root, root));
    return quick_sum(root, rest.high / (2 * root));
}

stat_dd stat_dd_power(stat_dd a, uint64_t exponent)
{
    stat_dd result = stat_dd_of(1);
    for (;;) {
        if (exponent & 1)
            result = stat_dd_multiply(result, a);
        exponent >>= 1;
        if (exponent == 0)
            return result;
        a = stat_dd_multiply(a, a);
    }
}

bool stat_dd_less(stat_dd a, stat_dd b)
{
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

stat_dd stat_dd_log2(void)
{
    return (stat_dd){0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
}

/* 2 atanh(s) = ln((1+s)/(1-s)) by its series; |s| < 0.18, so at most 25 terms count. */
static stat_dd twice_atanh(stat_dd s)
{
    stat_dd square = stat_dd_multiply(s, s), power = s, sum = s;
    for (int odd = 3; odd < 60; odd += 2) {
        power = stat_dd_multiply(power, square);
        stat_dd term = stat_dd_divide(power, stat_dd_of(odd));
        sum = stat_dd_add(sum, term);
        if (fabs(term.high) < 1e-34 * fabs(sum.high))
            break;
    }
    return scale(sum, 2);
}

/* ln a = exponent · ln 2 + ln m with m in [1/sqrt 2, sqrt 2): no cancellation between the two. */
stat_dd stat_dd_log(stat_dd a)
{
    assert(a.high > 0);
    int exponent;
    if (frexp(a.high, &exponent) < 0.70710678118654752)
        exponent--;
    stat_dd m = {ldexp(a.high, -exponent), ldexp(a.low, -exponent)};
    stat_dd one = stat_dd_of(1);
    stat_dd s = stat_dd_divide(stat_dd_subtract(m, one), stat_dd_add(m, one));
    return stat_dd_add(scale(stat_dd_log2(), exponent), twice_atanh(s));
}

/* ln(1+a) = 2 atanh(a / (2+a)), which keeps the digits of a small a. */
stat_dd stat_dd_log1p(stat_dd a)
{
    if (fabs(a.high) > 0.25)
        return stat_dd_log(stat_dd_add(stat_dd_of(1), a));
    return twice_atanh(stat_dd_divide(a, stat_dd_add(stat_dd_of(2), a)));
}

/* A high part that is not whole decides; a whole one leaves the decision to the low part. */
bool stat_dd_ceiling(stat_dd a, uint64_t *result)
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

double stat_dd_round_up(stat_dd a)
{
    return a.low < -1e-28 * fabs(a.high) ? a.high : nextafter(a.high, INFINITY);
}
