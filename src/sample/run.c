/* SPDX-License-Identifier: MIT */
/* Functions of a run that call its strategy, and choices that do not depend on it. */
#include "sample/strategy.h"

enum {
    FEW = 2 /* so many choices alternate after each turn; more take all their turns in succession */
};

opac_status sample_run_take_names(sample_run *run, opac_error *error)
{
    unsigned forks = run->pool != NULL ? base_pool_threads(run->pool) : 1;
    return run->forks != NULL
               ? sample_statistics_take_names(&run->stats, run->forks, forks, error)
               : sample_statistics_take_names(&run->stats, &run->stats.env, 1, error);
}

uint32_t sample_run_choice(const sample_run *run, uint32_t product_state)
{
    return run->strategy->choice(run, product_state);
}

uint32_t sample_run_choice_at(const sample_run *run, uint32_t product_state, uint64_t left)
{
    return run->round.is_timed ? run->strategy->choice_at(run, product_state, left)
                               : run->strategy->choice(run, product_state);
}

uint32_t sample_run_choice_of_new(const sample_run *run, const sample_statistics *stats,
                                  uint32_t product_state)
{
    return run->strategy->choice_of_new(run, stats, product_state);
}

bool sample_run_changes(const sample_run *run, const uint32_t **product_states, size_t *count)
{
    *product_states = NULL;
    *count = 0;
    return run->strategy->changes != NULL && run->strategy->changes(run, product_states, count);
}

bool sample_run_ends_at(const sample_run *run, uint32_t product_state)
{
    uint32_t state = product_state != SAMPLE_NONE
                         ? run->stats.product_states.items[product_state].state
                         : SAMPLE_NONE;
    if (run->strategy->ends_at != NULL && run->strategy->ends_at(run, product_state))
        return true;
    return sample_run_ends_in(run, state);
}

bool sample_run_ends_in(const sample_run *run, uint32_t state)
{
    return run->strategy->ends_in_traps && run->round.number > 0 && !run->round.is_observed &&
           state != SAMPLE_NONE && sample_statistics_is_trap(&run->stats, state);
}

opac_status sample_run_chain(const sample_run *run, sample_chain *chain, opac_error *error)
{
    return run->strategy->chain(run, chain, error);
}

void sample_run_free_strategy(sample_run *run)
{
    if (run->own != NULL)
        run->strategy->free(run);
    run->strategy = NULL;
    run->own = NULL;
}

uint32_t sample_first_unknown(const sample_run *run, const sample_statistics *stats,
                              uint32_t product_state)
{
    const sample_product_state *p = &stats->product_states.items[product_state];
    (void)run;
    for (uint32_t c = p->choice; c < p->choice + p->choices; c++)
        if (sample_statistics_takes_turns(stats, c))
            return c;
    return p->choice;
}

/* The unknown choice with index `rank`, counted cyclically from `chosen`. */
static uint32_t find_unknown(const sample_statistics *stats, const sample_product_state *p,
                             uint32_t chosen, uint64_t rank)
{
    for (uint32_t i = 0; i < p->choices; i++) {
        uint32_t c = p->choice + (chosen - p->choice + i) % p->choices;
        if (sample_statistics_takes_turns(stats, c) && rank-- == 0)
            return c;
    }
    return chosen;
}

uint32_t sample_turn_choice(const sample_round *round, const sample_statistics *stats,
                            uint32_t product_state, uint32_t chosen, uint64_t turn)
{
    const sample_product_state *p = &stats->product_states.items[product_state];
    uint64_t count = 0;
    for (uint32_t c = p->choice; c < p->choice + p->choices && count < round->turn_choices; c++)
        count += sample_statistics_takes_turns(stats, c);
    if (count == 0)
        return chosen;
    uint64_t rank = count <= FEW ? turn % count : turn / round->turns % count;
    return find_unknown(stats, p, chosen, rank);
}
