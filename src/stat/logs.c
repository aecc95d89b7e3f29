/* SPDX-License-Identifier: MIT */
/* Each takes the largest number out before it exponentiates. */
#include "stat/logs.h"

#include <assert.h>
#include <math.h>

static const double log_2 = 0.69314718055994530942;

double stat_log_add(double a, double b)
{
    double larger = fmax(a, b), smaller = fmin(a, b);
    if (smaller == -INFINITY || larger == INFINITY)
        return larger;
    return larger + log1p(exp(smaller - larger));
}

/* Relative to the largest, so that nothing overflows and at least one term is 1. */
double stat_log_sum(const double *logs, size_t count)
{
    double largest = -INFINITY, sum = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, logs[i]);
    if (isinf(largest))
        return largest;
    for (size_t i = 0; i < count; i++)
        sum += exp(logs[i] - largest);
    return largest + log(sum);
}

double stat_log_complement(double a)
{
    assert(a <= 0);
    return a > -log_2 ? log(-expm1(a)) : log1p(-exp(a));
}

double stat_log_subsets(uint64_t m)
{
    assert(m >= 1);
    if (m > 64)
        return (double)m * log_2; /* the rest is below the last digit */
    return (double)m * log_2 + log1p(-ldexp(1, 1 - (int)m));
}
