/* SPDX-License-Identifier: MIT */
/*
 * Exact confidence intervals for a proportion (Clopper and Pearson, "The use of
 * confidence or fiducial limits", 1934).
 */
#ifndef STAT_INTERVAL_H
#define STAT_INTERVAL_H

#include <stdint.h>

typedef struct stat_interval {
    double lower, upper;
} stat_interval;

/*
 * Contains the probability of success with probability at least 1 - alpha, 0 < alpha < 1; each end fails with
 * probability at most alpha/2. 1 <= trials <= 2^53. Rounded outward, so rounding errors do not invalidate it.
 */
stat_interval stat_clopper_pearson(uint64_t successes, uint64_t trials, double alpha);

#endif
