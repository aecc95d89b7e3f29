/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds by whole episodes for the learner with p_min or the graph (docs/theory.md, Corollary 8).
 *
 *     candidate j    a positional policy, a set of winning product states W of complete rows, in which the policy
 *                    plays their strategy, and a length H; all of it fixed together with j
 *     its trial      episodes of at most H transitions; won if they come to W, or to a universal memory
 *     its bound      p_π ≥ lower(K, m, δ_episodes/(j(j+1))) at all times, if the supports of the rows of W are
 *                    right
 *
 * Rows outside of W need neither support nor intervals for it, so it does not depend on the number of states.
 *
 * Which policies become candidates affects only how soon the bracket closes. If a policy is better by the
 * frequencies than the current candidate, rounds of posterior sampling follow, and it becomes a candidate if it is as
 * good after them. So few indices j are spent on policies that look good by a few observations.
 */
#include <math.h>

#include "bracket/bracket.h"
#include "sample/budget.h"

static const double tolerance_share = 0.125; /* of the wanted width */
static const double rehearsal =
    0.125; /* relative growth of the steps before a policy becomes a candidate */
static const double tolerated_gap = 1.0 / 16; /* of the gap */
static const double usual_width = 0.05;       /* if only a question was asked */
/* What the length of episodes may lose: a share of the tolerance, and at most a part of the value. */
static const double lost_share = 0.5, lost_part = 0.125;

static bracket_state *state_of(const opac_learning *l)
{
    return l->run.own;
}

/* ---- bounds ---- */

bracket_bounds bracket_of(const bracket_state *own)
{
    return (bracket_bounds){own->lower, own->upper};
}

const sample_candidate *bracket_candidate(const bracket_state *own)
{
    return own->source == BRACKET_FROM_CURRENT ? &own->current
           : own->source == BRACKET_FROM_BEST  ? &own->best
                                               : NULL;
}

static void raise(bracket_state *own, const sample_candidate *candidate, bracket_source source)
{
    double lower = sample_candidate_lower(candidate, &own->budget, 0);
    if (!(lower > own->lower))
        return;
    own->lower = lower;
    own->source = source;
}

void bracket_find_bounds(const sample_run *run)
{
    bracket_state *own = run->own;
    bracket_bounds model = bracket_model_bounds(own->bracket);
    own->lower = model.lower;
    own->upper = model.upper;
    own->source = BRACKET_FROM_MODEL;
    raise(own, &own->current, BRACKET_FROM_CURRENT);
    raise(own, &own->best, BRACKET_FROM_BEST);
    own->is_crossed = own->lower > own->upper;
    if (own->is_crossed)
        own->lower = own->upper;
}

/* ---- candidates ---- */

double bracket_tolerance(const opac_learning *l)
{
    return tolerance_share * (l->options.epsilon > 0 ? l->options.epsilon : usual_width);
}

static opac_status find_value(bracket_state *own, const sample_positional *policy, double *value,
                              opac_error *error)
{
    return frequencies_value(own->frequencies, policy, own->stop_handle, value, error);
}

/* While the bracket is wide, a candidate may miss the best value by more: each new one has a smaller part of δ. With a
 * question only L counts. */
static bool is_as_good(const opac_learning *l, double value)
{
    double gap = bracket_gap(bracket_of(state_of(l))), tolerance = bracket_tolerance(l);
    if (!(l->options.at_least > 0))
        tolerance = fmax(tolerance, tolerated_gap * gap);
    return value > 0 && value >= state_of(l)->outlook.best_value - tolerance;
}

/* Keeps the current candidate if its bound is the greatest so far. */
static opac_status retire(bracket_state *own, opac_error *error)
{
    if (own->current.index == 0 || sample_candidate_lower(&own->current, &own->budget, 0) <
                                       sample_candidate_lower(&own->best, &own->budget, 0))
        return OPAC_OK;
    return sample_candidate_copy(&own->best, &own->current, error);
}

/* Makes the earlier candidate the current one again, if it is as good as the best policy. */
static opac_status recall(const opac_learning *l, opac_error *error)
{
    bracket_state *own = state_of(l);
    double value;
    if (own->best.index == 0 || own->best.index == own->current.index)
        return OPAC_OK;
    TRY(find_value(own, &own->best.policy, &value, error));
    if (!is_as_good(l, value))
        return OPAC_OK;
    sample_candidate other = own->current;
    own->current = own->best;
    own->best = other;
    own->outlook.value = value;
    own->outlook.has_candidate = true;
    return OPAC_OK;
}

/* In W the policy plays the strategy of W; W is the goal. */
static opac_status play_winning(const opac_learning *l, sample_candidate *candidate,
                                opac_error *error)
{
    const bracket_model *bracket = state_of(l)->bracket;
    size_t count = candidate->policy.choice.count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t choice;
        if (!bracket_model_wins(bracket, i, &choice))
            continue;
        candidate->policy.choice.items[i] = choice;
        TRY(base_u32_vec_push(&candidate->goal, i, error));
    }
    return OPAC_OK;
}

/* The next policy as a candidate, with the least length that loses little. */
static opac_status fix_candidate(const opac_learning *l, opac_error *error)
{
    bracket_state *own = state_of(l);
    sample_candidate *c = &own->current;
    double value;
    sample_candidate_clear(c);
    TRY(sample_positional_reset(&c->policy, &l->run.stats, error));
    for (size_t i = 0; i < own->next.choice.count; i++)
        c->policy.choice.items[i] = own->next.choice.items[i];
    TRY(play_winning(l, c, error));
    TRY(find_value(own, &c->policy, &value, error));
    const frequencies_target goal = {c->goal.items, c->goal.count};
    double wanted = value - fmin(lost_share * bracket_tolerance(l), lost_part * value);
    TRY(frequencies_fit_length(own->frequencies, &c->policy, goal, wanted, SAMPLE_LONG_EPISODE,
                               own->stop_handle, &c->horizon, error));
    TRY(frequencies_reach(own->frequencies, &c->policy, goal, c->horizon, own->stop_handle, &value,
                          &c->ends, error));
    c->index = ++own->plan.tried;
    return OPAC_OK;
}

/* Makes the next policy a candidate, if it is still as good as the best one after enough steps. */
static opac_status promote(const opac_learning *l, opac_error *error)
{
    bracket_state *own = state_of(l);
    double value;
    TRY(find_value(own, &own->next, &value, error));
    if (!is_as_good(l, value)) {
        own->plan.has_next = false;
        return OPAC_OK;
    }
    if ((double)l->run.steps < (1 + rehearsal) * (double)own->plan.next_steps)
        return OPAC_OK;
    own->plan.has_next = false;
    TRY(retire(own, error));
    own->outlook.value = value;
    own->outlook.has_candidate = true;
    return fix_candidate(l, error);
}

static opac_status find_candidate(const opac_learning *l, opac_error *error)
{
    bracket_state *own = state_of(l);
    bracket_outlook *outlook = &own->outlook;
    TRY(frequencies_build(own->frequencies, own->stop_handle, error));
    TRY(frequencies_solve(own->frequencies, own->stop_handle, error));
    outlook->best = frequencies_best(own->frequencies, &outlook->best_value);
    if (own->current.index > 0)
        TRY(find_value(own, &own->current.policy, &outlook->value, error));
    outlook->has_candidate = own->current.index > 0 && is_as_good(l, outlook->value);
    if (!outlook->has_candidate)
        TRY(recall(l, error));
    return !outlook->has_candidate && own->plan.has_next ? promote(l, error) : OPAC_OK;
}

opac_status bracket_trial_prepare(opac_learning *l, opac_error *error)
{
    bracket_state *own = state_of(l);
    own->outlook = (bracket_outlook){0};
    bracket_find_bounds(&l->run);
    if (l->run.stats.start == SAMPLE_NONE || !(own->budget.episodes > 0))
        return OPAC_OK;
    TRY(find_candidate(l, error));
    bracket_find_bounds(&l->run); /* candidates have changed */
    return OPAC_OK;
}
