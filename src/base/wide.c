/* SPDX-License-Identifier: MIT */
/* The fraction behind a double: the first convergent of its continued fraction that rounds to it. */
#include "base/wide.h"

#include <stdint.h>

/* Whole numbers up to here, and their products with doubles of as many bits, are exact. */
#define LARGEST 0x1p52

/* a / b for whole numbers: the quotient, and what is left of the remainder. */
static base_wide divide(double a, double b)
{
    double first = a / b, rest = fma(-first, b, a);
    double second = rest / b;
    base_wide quotient = base_wide_quick_sum(first, second);
    return quotient;
}

base_wide base_wide_of_fraction(double x)
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
            return divide(below, above);
        if (rest == whole)
            break;
        rest = 1 / (rest - whole);
    }
    return base_wide_of(x);
}
