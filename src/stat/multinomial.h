/* SPDX-License-Identifier: MIT */
/*
 * Multinomial random counts: n items over `count` categories, by binomial
 * draws of one category after the other from what is left. The counts add up
 * to n exactly, and a category of weight 0 gets none.
 *
 * The conditional probabilities are prepared once and used for many draws. Each
 * is kept as the smaller of two shares, the category's own and that of all
 * categories behind it. The larger would lose digits of the other: 1 - 1e-15 as
 * a double is off by a tenth of what is missing to 1, and among 10^15 items
 * that shows.
 */
#ifndef STAT_MULTINOMIAL_H
#define STAT_MULTINOMIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "stat/rng.h"

typedef struct stat_split {
    double share;    /* at most 1/2 */
    bool is_of_rest; /* whose share: of the categories behind this one, or its own */
} stat_split;

/* Fills `count` splits; the weights are checked (stat/weights.h). */
opac_status stat_multinomial_prepare(const double *weights, size_t count, stat_split *splits,
                                     opac_error *error);

void stat_multinomial(stat_rng *rng, uint64_t n, const stat_split *splits, size_t count,
                      uint64_t *counts);

#endif
