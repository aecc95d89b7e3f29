/* SPDX-License-Identifier: MIT */
/*
 * How often intervals miss, exactly, for a number of draws that is fixed and small: to compare the
 * ways in which intervals can be made.
 */
#ifndef STAT_COVERAGE_H
#define STAT_COVERAGE_H

#include <stddef.h>

#include "stat/interval.h"

enum {
    STAT_COVERAGE_LARGEST = 16 /* k */
};

/* What somebody would say of the k probabilities, having seen these counts. */
typedef void (*stat_interval_maker)(void *context, const uint64_t *counts, size_t k,
                                    stat_interval *intervals);

/*
 * The probability that after n draws of the distribution p some p[i] lies outside its interval. All
 * counts that add up to n are gone through, (n+k-1 choose k-1) of them; 1 <= k <=
 * STAT_COVERAGE_LARGEST. Relative error below 1e-12 for n up to 1000.
 */
double stat_multinomial_miss(const double *p, size_t k, uint64_t n, stat_interval_maker make,
                             void *context);

#endif
