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
 * Contains the probability of success with probability at least 1 - alpha,
 * 0 < alpha < 1, at most alpha/2 lost on either side; trials >= 1, at most 2^53.
 * Rounded outwards: sound also after the rounding of its own computation.
 */
stat_interval stat_clopper_pearson(uint64_t successes, uint64_t trials, double alpha);

#endif
