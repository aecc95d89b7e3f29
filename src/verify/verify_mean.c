/* SPDX-License-Identifier: MIT */
/*
 * The greatest or least mean of values over all probabilities within the intervals of a row.
 *
 * Each successor gets its lower end, and the remaining mass goes to the successors with the greatest (or
 * least) values first (docs/theory.md, Lemma 22). The mean is computed as v + Σ q (value - v), where v is the
 * least value. This is exact if all values are equal; otherwise a margin is added, so that the greatest mean
 * is never too small, and the least one never too large.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "verify/verify.h"

enum {
    FEW = 16 /* so many are sorted by insertion */
};

static int compare_values(const void *a, const void *b)
{
    double x = ((const verify_part *)a)->value, y = ((const verify_part *)b)->value;
    return (x > y) - (x < y);
}

/* Sweeps (verify_recurrence.c) sort a row again and again, and it mostly is sorted already. */
static void sort(verify_part *parts, uint32_t count)
{
    uint32_t sorted = 1;
    while (sorted < count && parts[sorted - 1].value <= parts[sorted].value)
        sorted++;
    if (sorted < count && count > FEW)
        qsort(parts, count, sizeof *parts, compare_values);
    for (; count <= FEW && sorted < count; sorted++) {
        verify_part moved = parts[sorted];
        uint32_t k = sorted;
        for (; k > 0 && parts[k - 1].value > moved.value; k--)
            parts[k] = parts[k - 1];
        parts[k] = moved;
    }
}

double verify_mean(verify_part *parts, uint32_t count, bool is_greatest)
{
    sort(parts, count);
    double base = parts[0].value, top = parts[count - 1].value, spread = top - base;
    double left = 1, sum = 0;
    if (!(spread > 0))
        return base;
    for (uint32_t k = 0; k < count; k++)
        left -= parts[k].low;
    for (uint32_t k = 0; k < count; k++) {
        const verify_part *next = &parts[is_greatest ? count - 1 - k : k];
        double given = fmax(0, fmin(left, next->width));
        left -= given;
        sum += (next->low + given) * (next->value - base);
    }
    /* The masses and the sum have an error of at most 2 (count + 1) ulps of the spread; with very many
     * successors the low ends may sum to more than 1 by a similar amount (intervals.c, is_feasible).
     * Products may underflow. */
    double margin = 32 * ((double)count + 2) * (DBL_EPSILON * spread + DBL_TRUE_MIN);
    if (is_greatest)
        return fmin(top, nextafter(base + (sum + margin), 2));
    return fmax(base, nextafter(base + (sum - margin), -1));
}
