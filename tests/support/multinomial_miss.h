/* SPDX-License-Identifier: MIT */
/*
 * The exact probability that intervals miss, for a small fixed number of samples, to compare methods for
 * intervals.
 */
#ifndef SUPPORT_MULTINOMIAL_MISS_H
#define SUPPORT_MULTINOMIAL_MISS_H

#include <stddef.h>

#include "stat/interval.h"

enum {
    MULTINOMIAL_MOST = 16 /* k */
};

/* Computes intervals for the k probabilities from the counts. */
typedef void (*interval_maker)(void *context, const uint64_t *counts, size_t k,
                               stat_interval *intervals);

/*
 * The probability that after n samples of the distribution p some p[i] lies outside its interval.
 * Enumerates all counts that sum to n, (n+k-1 choose k-1) of them; 1 <= k <= MULTINOMIAL_MOST. Relative
 * error below 1e-12 for n up to 1000.
 */
double multinomial_miss(const double *p, size_t k, uint64_t n, interval_maker make, void *context);

#endif
