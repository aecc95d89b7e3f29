/* SPDX-License-Identifier: MIT */
/*
 * If nothing is known: the length of episodes, and the end of the run. None of it affects the validity of L,
 * which is that of a policy, a length and an index that are fixed before their first episode.
 *
 *     explore    episodes of T steps, where T doubles if the best policy by the frequencies needs more, or if most
 *                episodes reach it, but not above a share of the steps so far
 *     try        episodes of the candidate's own length, the least that loses little by the frequencies
 */
#include <math.h>

#include "horizon/horizon_bracket.h"
#include "stat/sequence.h"

/* A run has at least so many episodes of T steps; and if a policy wins within T, only others may need more. */
static const double fewest_episodes = 16, fewest_if_won = 256;
static const double each_product_state = 64; /* steps that T may have, however few were taken */
static const double lost_share = 0.125;      /* of epsilon: what the length of a trial may lose */

static const frequencies_target sink = {.count = 0}; /* nothing else */

/* The candidate that L is for; NULL if there is none. */
static const sample_candidate *source_of(const horizon_state *own)
{
    return own->source == HORIZON_FROM_CURRENT ? &own->current
           : own->source == HORIZON_FROM_BEST  ? &own->best
                                               : NULL;
}

opac_status horizon_free_compare(opac_learning *l, opac_error *error)
{
    horizon_state *own = horizon_state_of(&l->run);
    const sample_candidate *c = source_of(own);
    double best, value;
    own->is_best = false;
    frequencies_best(own->frequencies, &best);
    if (c == NULL)
        return OPAC_OK;
    TRY(frequencies_value(own->frequencies, &c->policy, own->stop_handle, &value, error));
    own->is_best = value >= best - horizon_tolerance(l);
    return OPAC_OK;
}

/* L is close to the share of episodes won. That of few episodes says little, so L is also compared with the upper end of
 * its confidence sequence. */
bool horizon_free_is_done(const opac_learning *l)
{
    const horizon_state *own = horizon_state_of(&l->run);
    const sample_candidate *c = source_of(own);
    if (!(l->options.epsilon > 0))
        return false; /* only the answer to a question ends the run */
    if (1 - own->lower <= own->target)
        return true;
    if (c == NULL || !own->is_best)
        return false;
    double log_alpha = sample_budget_log_episodes(sample_row_sets_budget(own->sets), c->index);
    double upper = stat_sequence_jeffreys(c->wins, c->episodes, log_alpha).upper;
    return (double)c->wins / (double)c->episodes - own->lower <= own->target &&
           upper - own->lower <= 2 * own->target;
}

/* Within as many steps as there are product states everything is reached that ever is. */
bool horizon_free_is_hopeless(const opac_learning *l)
{
    const horizon_state *own = horizon_state_of(&l->run);
    return own->is_current && own->reach <= 0 &&
           l->report.horizon >= horizon_model_size(own->model);
}

/* Whether most episodes of the last round that explored reached their length. */
static bool is_cut(const horizon_plan *plan, uint64_t length)
{
    return plan->explored_episodes > 0 &&
           plan->explored_steps / plan->explored_episodes >= length / 2;
}

static void lengthen(opac_learning *l)
{
    horizon_state *own = horizon_state_of(&l->run);
    l->report.horizon *= 2;
    own->plan.explored_steps = own->plan.explored_episodes = 0;
}

/* Until the best policy by the frequencies loses little by the length; up to a length that the steps so far, or the
 * number of product states, justify. */
static opac_status fit_policy(opac_learning *l, const sample_positional *best, double value,
                              bool *is_short, opac_error *error)
{
    horizon_state *own = horizon_state_of(&l->run);
    double within = 0, most = fmax((double)l->run.steps / fewest_episodes,
                                   each_product_state * (double)horizon_model_size(own->model));
    for (*is_short = value > 0; *is_short;) {
        TRY(frequencies_reach(own->frequencies, best, sink, l->report.horizon, own->stop_handle,
                              &within, NULL, error));
        *is_short = value - within > lost_share * own->target;
        if (*is_short && (double)l->report.horizon > most)
            return OPAC_OK;
        if (*is_short)
            lengthen(l);
    }
    return OPAC_OK;
}

opac_status horizon_free_lengthen(opac_learning *l, opac_error *error)
{
    horizon_state *own = horizon_state_of(&l->run);
    double value;
    bool is_short;
    const sample_positional *best = frequencies_best(own->frequencies, &value);
    TRY(fit_policy(l, best, value, &is_short, error));
    uint64_t length = l->report.horizon;
    bool is_wanted = own->reach <= 0 || is_cut(&own->plan, length);
    double fewest = own->reach <= 0 ? 0 : value > 0 ? fewest_if_won : fewest_episodes;
    if (!is_short && is_wanted && (double)l->run.steps >= fewest * (double)length &&
        length < SAMPLE_MOST_STEPS / 2)
        lengthen(l);
    return OPAC_OK;
}

opac_status horizon_free_prepare(opac_learning *l, const sample_positional *policy,
                                 sample_candidate *candidate, opac_error *error)
{
    horizon_state *own = horizon_state_of(&l->run);
    double most, value = 0;
    uint64_t length = l->report.horizon;
    TRY(frequencies_reach(own->frequencies, policy, sink, length, own->stop_handle, &most, NULL,
                          error));
    TRY(frequencies_fit_length(own->frequencies, policy, sink, most - lost_share * own->target,
                               length, own->stop_handle, &candidate->horizon, error));
    return frequencies_reach(own->frequencies, policy, sink, length, own->stop_handle, &value,
                             &candidate->ends, error);
}
