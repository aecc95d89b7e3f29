/* SPDX-License-Identifier: MIT */
/* What a run asks of its strategy. */
#include "sample/strategy.h"

static const uint64_t few_pairs = 64; /* as many can be solved after as many steps */
static const uint64_t most_rounds = 8;
static const uint64_t many_choices = 1024; /* of a pair, in the mean: then they count, too */

uint32_t sample_run_choice(const sample_run *run, uint32_t pair)
{
    return run->strategy->choice(run, pair);
}

bool sample_run_changes(const sample_run *run, const uint32_t **pairs, size_t *count)
{
    *pairs = NULL;
    *count = 0;
    return run->strategy->changes != NULL && run->strategy->changes(run, pairs, count);
}

bool sample_run_ends_at(const sample_run *run, uint32_t pair)
{
    return run->strategy->ends_at != NULL && run->strategy->ends_at(run, pair);
}

bool sample_run_is_enough(const sample_run *run, uint32_t counter)
{
    return run->strategy->is_enough != NULL && run->strategy->is_enough(run, counter);
}

opac_status sample_run_chain(const sample_run *run, sample_chain *chain, opac_error *error)
{
    return run->strategy->chain(run, chain, error);
}

void sample_detach(sample_run *run)
{
    if (run->own != NULL)
        run->strategy->free(run);
    run->strategy = NULL;
    run->own = NULL;
}

/* As many as there are pairs, and up to `most_rounds` times as many where there are many of them; and
 * one for so many choices. */
uint64_t sample_batch_least(const sample_run *run)
{
    uint64_t pairs = run->world.pairs.count, rounds = pairs / few_pairs;
    uint64_t least = pairs * (rounds < 1 ? 1 : rounds < most_rounds ? rounds : most_rounds);
    uint64_t choices = run->world.choices.count / many_choices;
    return choices > least ? choices : least;
}

bool sample_batch_is_lazy(const sample_run *run)
{
    return sample_batch_least(run) > run->world.pairs.count;
}
