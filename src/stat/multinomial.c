/* SPDX-License-Identifier: MIT */
/* Linear in the number of categories: one binomial sample for each, until all items are distributed. */
#include "stat/multinomial.h"

#include "stat/binomial.h"
#include "stat/weights.h"

/*
 * Proceeds from the last category to the first, so that `later`, the weight of the later categories, is
 * computed by addition only. For the last category of positive weight it is 0, so this category gets all
 * remaining items.
 */
opac_status stat_multinomial_prepare(const double *weights, size_t count, stat_split *splits,
                                     opac_error *error)
{
    double sum, later = 0;
    TRY(stat_weights_check(weights, count, &sum, error));
    for (size_t i = count; i-- > 0;) {
        double own = weights[i], all = own + later;
        splits[i].is_of_rest = own > later;
        splits[i].share = all == 0 ? 0 : (own > later ? later : own) / all;
        later = all;
    }
    return OPAC_OK;
}

void stat_multinomial(stat_rng *rng, uint64_t n, const stat_split *splits, size_t count,
                      uint64_t *counts)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t part = n == 0 ? 0 : stat_binomial(rng, n, splits[i].share);
        counts[i] = splits[i].is_of_rest ? n - part : part;
        n -= counts[i];
    }
}
