/* SPDX-License-Identifier: MIT */
/*
 * Computes the exact probability that a confidence sequence misses p at some time within its first trials:
 * by dynamic programming over the number of successes of the runs that did not miss yet, without sampling.
 */
#ifndef TESTS_STAT_MISSES_H
#define TESTS_STAT_MISSES_H

#include <math.h>
#include <string.h>

#include "stat/interval.h"

enum {
    MISSES_TRIALS = 300, /* at most */
    MISSES_PROBABILITIES = 10
};

typedef stat_interval (*misses_sequence)(uint64_t successes, uint64_t trials, double alpha);

/* One more trial: runs whose interval misses p now are counted and removed, for every p. */
static inline void misses_advance(stat_interval interval, const double *probabilities, int count,
                                  double *inside, const double *before, double *missed)
{
    for (int i = 0; i < count; i++) {
        double p = probabilities[i];
        inside[i] = inside[i] * (1 - p) + (before != NULL ? before[i] * p : 0);
        if (p < interval.lower || p > interval.upper) {
            missed[i] += inside[i];
            inside[i] = 0;
        }
    }
}

/* The greatest, over all p; rounded up: each trial costs three roundings at most, and each sum one for
 * each of its terms. */
static inline double misses_worst(misses_sequence intervals, double alpha, uint64_t trials,
                                  const double *probabilities, int count)
{
    static double inside[MISSES_TRIALS + 1][MISSES_PROBABILITIES];
    double missed[MISSES_PROBABILITIES] = {0}, worst = 0;
    memset(inside, 0, sizeof inside);
    for (int i = 0; i < count; i++)
        inside[0][i] = 1;
    for (uint64_t n = 1; n <= trials; n++)
        for (uint64_t x = n + 1; x-- > 0;)
            misses_advance(intervals(x, n, alpha), probabilities, count, inside[x],
                           x > 0 ? inside[x - 1] : NULL, missed);
    for (int i = 0; i < count; i++)
        worst = fmax(worst, missed[i]);
    return worst * (1 + (double)(trials * (trials + 4)) * 0x1p-52);
}

#endif
