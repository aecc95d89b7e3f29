/* SPDX-License-Identifier: MIT */
/* What a run asks of its strategy. */
#include "learn/strategy.h"

uint32_t learn_run_choice(const learn_run *run, uint32_t pair)
{
    return run->strategy->choice(run, pair);
}

bool learn_run_changes(const learn_run *run, const uint32_t **pairs, size_t *count)
{
    *pairs = NULL;
    *count = 0;
    return run->strategy->changes != NULL && run->strategy->changes(run, pairs, count);
}

bool learn_run_ends_at(const learn_run *run, uint32_t pair)
{
    return run->strategy->ends_at != NULL && run->strategy->ends_at(run, pair);
}

bool learn_run_is_enough(const learn_run *run, uint32_t counter)
{
    return run->strategy->is_enough != NULL && run->strategy->is_enough(run, counter);
}

opac_status learn_run_chain(const learn_run *run, learn_chain *chain, opac_error *error)
{
    return run->strategy->chain(run, chain, error);
}

void learn_detach(learn_run *run)
{
    if (run->own != NULL)
        run->strategy->free(run);
    run->strategy = NULL;
    run->own = NULL;
}
