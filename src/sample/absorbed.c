/* SPDX-License-Identifier: MIT */
/*
 * Detects absorbing product states, where episodes end early: REJECT, the universal sink, states without
 * actions, and any others from which the policy takes only free choices forever.
 *
 * Follows free choices until one is not free or a product state repeats. Cycles are detected as in Brent, "An
 * improved Monte Carlo factorization algorithm" (1980), by comparison with a product state that is replaced
 * after 1, 2, 4, 8 … steps: without memory, in at most three times as many steps as there are product states
 * on the path.
 *
 * In a timed round the choices change with the number of steps left, so only a product state's single choice
 * is followed.
 */
#include "sample/run.h"

/* The choice that is taken for any number of steps left; SAMPLE_NONE: there is none. */
static uint32_t lasting_choice(const sample_run *run, uint32_t product_state)
{
    const sample_product_state *p = &run->stats.product_states.items[product_state];
    if (run->round.is_timed)
        return p->choices == 1 ? p->choice : SAMPLE_NONE;
    return sample_run_choice(run, product_state);
}

bool sample_run_is_absorbed(const sample_run *run, uint32_t product_state)
{
    const sample_statistics *stats = &run->stats;
    uint32_t earlier = SAMPLE_NONE;
    for (uint64_t step = 0, next = 1; product_state != earlier; step++) {
        if (step == next) {
            earlier = product_state;
            next *= 2;
        }
        uint32_t choice = lasting_choice(run, product_state);
        if (choice == SAMPLE_NONE || !sample_choice_is_free(&stats->choices.items[choice]))
            return false;
        product_state = stats->choices.items[choice].target;
    }
    return true;
}
