/* SPDX-License-Identifier: MIT */
/* Enumerates counts in lexicographic order. All terms are positive, so there is no cancellation. */
#include "support/multinomial_miss.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "stat/density.h"

/*
 * The next counts of the same sum, false after the last: the rightmost count that is not the last
 * one gives one to its neighbour, which takes all of the last one, too.
 */
static bool advance(uint64_t *counts, size_t k)
{
    size_t i = k - 1;
    while (i > 0 && counts[i - 1] == 0)
        i--;
    if (i == 0)
        return false;
    uint64_t last = counts[k - 1];
    counts[k - 1] = 0;
    counts[i - 1]--;
    counts[i] = last + 1;
    return true;
}

/* n! / Π counts! · Π p^counts, with deviances in place of powers; 0 where p is 0 and a count not. */
static double probability(const double *p, const uint64_t *counts, size_t k, double n)
{
    double log_probability = stat_residue(n);
    for (size_t i = 0; i < k; i++) {
        double count = (double)counts[i], mean = n * p[i];
        if (p[i] == 0 && counts[i] > 0)
            return 0;
        log_probability -= stat_residue(count) + stat_deviance(count, mean, count - mean);
    }
    return exp(log_probability);
}

static bool is_missed(const double *p, const stat_interval *intervals, size_t k)
{
    bool missed = false;
    for (size_t i = 0; i < k; i++)
        missed = missed || p[i] < intervals[i].lower || p[i] > intervals[i].upper;
    return missed;
}

double multinomial_miss(const double *p, size_t k, uint64_t n, interval_maker make, void *context)
{
    assert(k >= 1 && k <= MULTINOMIAL_MOST);
    uint64_t counts[MULTINOMIAL_MOST] = {n};
    stat_interval intervals[MULTINOMIAL_MOST];
    double sum = 0;
    do {
        make(context, counts, k, intervals);
        if (is_missed(p, intervals, k))
            sum += probability(p, counts, k, (double)n);
    } while (advance(counts, k));
    return sum;
}
