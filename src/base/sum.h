/* SPDX-License-Identifier: MIT */
/*
 * Compensated summation (Knuth's two-sum): sum and rest together are exact up to the rounding of rest, so
 * that 10^5 terms have no larger error than two terms.
 *
 *     double sum = 0, rest = 0;
 *     for (...)
 *         sum = base_sum_add(sum, term, &rest);
 *     sum += rest;
 */
#ifndef BASE_SUM_H
#define BASE_SUM_H

#include "base/double_double.h"

/* Returns sum + term, and adds its rounding error to *rest. */
static inline double base_sum_add(double sum, double term, double *rest)
{
    base_dd total = base_dd_exact_sum(sum, term);
    *rest += total.low;
    return total.high;
}

#endif
