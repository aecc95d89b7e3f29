/* SPDX-License-Identifier: MIT */
/* The operators on fractions, and rounding them. */
#include "prism/code_ratio.h"

#include "prism/arithmetic.h"
#include "prism/code_form.h"

/* Towards minus infinity, with the rest in [0, denominator). */
static int64_t floor_ratio(base_ratio ratio, int64_t *rest)
{
    int64_t whole = ratio.numerator / ratio.denominator;
    *rest = ratio.numerator % ratio.denominator;
    if (*rest < 0) {
        *rest += ratio.denominator;
        whole--;
    }
    return whole;
}

bool code_round_ratio(unsigned op, base_ratio ratio, int64_t *result)
{
    int64_t rest, whole = floor_ratio(ratio, &rest);
    bool up = op == CODE_CEIL ? rest > 0
                              : op == CODE_ROUND && rest > 0 && rest >= ratio.denominator - rest;
    return prism_int_add(whole, up, result);
}

base_ratio code_join_ratios(unsigned op, base_ratio a, base_ratio b)
{
    bool known = base_ratio_is_known(a) && base_ratio_is_known(b);
    switch (op) {
    case CODE_ADD_REAL:
        return base_ratio_add(a, b);
    case CODE_SUBTRACT_REAL:
        return base_ratio_subtract(a, b);
    case CODE_MULTIPLY_REAL:
        return base_ratio_multiply(a, b);
    case CODE_DIVIDE_REAL:
        return base_ratio_divide(a, b);
    case CODE_POWER_REAL:
        return known && b.denominator == 1 ? base_ratio_power(a, b.numerator) : (base_ratio){0};
    case CODE_MIN_REAL:
        return !known ? (base_ratio){0} : (base_ratio_compare(a, b) <= 0 ? a : b);
    case CODE_MAX_REAL:
        return !known ? (base_ratio){0} : (base_ratio_compare(a, b) >= 0 ? a : b);
    default: /* a logarithm is rarely a fraction */
        return (base_ratio){0};
    }
}
