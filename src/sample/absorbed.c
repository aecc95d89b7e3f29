/* SPDX-License-Identifier: MIT */
/*
 * Where episodes end before their steps are used up: REJECT, the universal sink,
 * states without actions, and whatever else only free choices lead on from, for
 * ever.
 *
 * Free choices are followed until one is not free or a pair comes again, which
 * is noticed as in Brent, "An improved Monte Carlo factorization algorithm"
 * (1980): by comparing with a pair that is replaced after 1, 2, 4, 8 … steps. No
 * memory; at most thrice as many steps as there are free pairs in a row.
 */
#include "sample/run.h"

bool sample_run_is_absorbed(const sample_run *run, uint32_t product_state)
{
    const sample_statistics *stats = &run->stats;
    uint32_t earlier = SAMPLE_NONE;
    for (uint64_t step = 0, next = 1; product_state != earlier; step++) {
        if (step == next) {
            earlier = product_state;
            next *= 2;
        }
        uint32_t choice = sample_run_choice(run, product_state);
        if (!sample_choice_is_free(&stats->choices.items[choice]))
            return false;
        product_state = stats->choices.items[choice].target;
    }
    return true;
}
