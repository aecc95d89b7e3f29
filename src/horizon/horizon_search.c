/* SPDX-License-Identifier: MIT */
/*
 * The search for T. There is no guarantee, so the frequencies decide: T is accepted for a policy if all rows
 * on its way were visited a few times, and the recurrence time of its chain is at most T. Otherwise T is
 * doubled. With an early T the bracket is often narrow at once, because nothing is reached within T steps.
 */
#include "horizon/horizon_bracket.h"
#include "solve/recurrence.h"

static const uint64_t enough_visits = 8;
static const uint64_t most_rehearsals = 8; /* for each T */
static const uint64_t usual_work = 200000000;

/* Whether every row on the way of the chain has enough visits. */
static bool is_visited(const sample_statistics *stats, const sample_chain *chain)
{
    for (uint32_t i = 0; i < chain->process.state_count; i++) {
        const sample_choice *choice = &stats->choices.items[chain->choice[i]];
        if (!sample_choice_is_free(choice) &&
            stats->counters.items[choice->counter].count < enough_visits)
            return false;
    }
    return true;
}

static opac_status is_long_enough(const opac_learning *l, const sample_chain *chain, bool *is,
                                  opac_error *error)
{
    const solve_recurrence_options options = {
        .epsilon = l->options.epsilon,
        .lower_bound_only = true,
        .max_steps = l->report.horizon,
        .max_work = l->options.recurrence_work > 0 ? l->options.recurrence_work : usual_work,
        .cancel = horizon_state_of(&l->run)->stop_handle};
    solve_recurrence found;
    TRY(solve_recurrence_chain(&chain->process, 0, &options, &found, error));
    *is = found.outcome != SOLVE_RECURRENCE_LONGER;
    return OPAC_OK;
}

opac_status horizon_search(opac_learning *l, horizon_search_outcome *outcome, opac_error *error)
{
    horizon_state *own = horizon_state_of(&l->run);
    sample_chain chain;
    bool is = false;
    TRY(frequencies_chain(own->frequencies, horizon_policy_to_return(own), &chain, error));
    if (!is_visited(&l->run.stats, &chain)) {
        *outcome =
            own->plan.rehearsals < most_rehearsals ? HORIZON_SEARCH_SAMPLE : HORIZON_SEARCH_DOUBLE;
        own->plan.rehearsals++;
        return OPAC_OK;
    }
    TRY(is_long_enough(l, &chain, &is, error));
    *outcome = is ? HORIZON_SEARCH_ACCEPT : HORIZON_SEARCH_DOUBLE;
    return OPAC_OK;
}
