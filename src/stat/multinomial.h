/* SPDX-License-Identifier: MIT */
/*
 * Multinomial random counts: distributes n items over `count` categories, by a binomial sample for each
 * category from the remaining items. The counts sum to exactly n, and a category of weight 0 gets none.
 *
 * The conditional probabilities are prepared once and used for many samples. Each is stored as the smaller
 * of two shares: that of the category, or that of all later categories together. The larger one would lose
 * digits of the other: the double nearest to 1 - 1e-15 differs from 1 by up to a tenth more or less, which
 * is significant among 10^15 items.
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
    bool is_of_rest; /* whether it is the share of the later categories, and not of this one */
} stat_split;

/* Fills `count` splits. Fails if the weights are invalid (stat/weights.h). */
opac_status stat_multinomial_prepare(const double *weights, size_t count, stat_split *splits,
                                     opac_error *error);

void stat_multinomial(stat_rng *rng, uint64_t n, const stat_split *splits, size_t count,
                      uint64_t *counts);

#endif
