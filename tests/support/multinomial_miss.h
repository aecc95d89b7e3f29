/* SPDX-License-Identifier: MIT */
/*
 * How often intervals miss, exactly, for a number of draws that is fixed and small: to compare the
 * ways in which intervals can be made.
 */
#ifndef SUPPORT_MULTINOMIAL_MISS_H
#define SUPPORT_MULTINOMIAL_MISS_H

#include <stddef.h>

#include "stat/interval.h"

enum {
    MULTINOMIAL_MOST = 16 /* k */
};

/* What somebody would say of the k probabilities, having seen these counts. */
typedef void (*interval_maker)(void *context, const uint64_t *counts, size_t k,
                               stat_interval *intervals);

/*
 * The probability that after n draws of the distribution p some p[i] lies outside its interval. All
 * counts that add up to n are gone through, (n+k-1 choose k-1) of them; 1 <= k <=
 * MULTINOMIAL_MOST. Relative error below 1e-12 for n up to 1000.
 */
double multinomial_miss(const double *p, size_t k, uint64_t n, interval_maker make, void *context);

#endif
