/* SPDX-License-Identifier: MIT */
/*
 * L and U from all counts, and the tests of T: docs/theory.md, Theorem 17 and Theorem 18.
 *
 *     U   U_T + ε
 *     L   the greatest of: the bound of the current candidate's trial, that of the best earlier one, and
 *         1 - ε - R_T of the best policy of the frequencies. All hold at the same time, so that the greatest
 *         one may be chosen after the counts were seen.
 */
#include <math.h>

#include "aut/automaton.h"
#include "horizon/horizon_bracket.h"
#include "sample/statistics_form.h"

#define SUM_ROUNDING 1e-12 /* allowance for the rounding of sums, here and in the checker */
static const uint64_t usual_work = 200000000; /* of a test of T: about a second */

double horizon_gap(const horizon_state *own)
{
    double gap = own->upper - own->lower;
    return gap > 0 ? nextafter(gap, INFINITY) : 0;
}

/* ---- the bracket ---- */

/* If the intervals of a row admit no distribution, its draws are not independent draws of one. */
static opac_status check_rows(opac_learning *l, opac_error *error)
{
    const sample_statistics *stats = &l->run.stats;
    horizon_state *own = horizon_state_of(&l->run);
    for (uint32_t row = 0; row < stats->rows.count; row++) {
        sample_row_set set;
        if (!stats->counters.items[row].known || l->refuted.kind != OPAC_REFUTED_NONE)
            continue;
        TRY(sample_row_sets_get(own->sets, row, &set, error));
        if (set.is_empty)
            l->refuted = (sample_refutation){.kind = OPAC_REFUTED_SUM,
                                             .row = row,
                                             .state = SAMPLE_NONE,
                                             .visits = stats->counters.items[row].count};
    }
    return OPAC_OK;
}

static void raise(horizon_state *own, double lower, horizon_source source)
{
    if (!(lower > own->lower))
        return;
    own->lower = lower;
    own->source = source;
}

void horizon_find_lower(opac_learning *l)
{
    horizon_state *own = horizon_state_of(&l->run);
    const sample_budget *budget = sample_row_sets_budget(own->sets);
    double epsilon = own->allowance;
    own->lower = 0;
    own->source = HORIZON_NO_SOURCE;
    raise(own, sample_candidate_lower(&own->current, budget, epsilon), HORIZON_FROM_CURRENT);
    raise(own, sample_candidate_lower(&own->best, budget, epsilon), HORIZON_FROM_BEST);
    double by_model = 1 - epsilon - own->risk.value - SUM_ROUNDING;
    if (!own->is_free)
        raise(own, by_model, HORIZON_FROM_FREQUENCIES);
    own->is_crossed = own->lower > own->upper;
    if (own->is_crossed)
        own->lower = own->upper;
}

opac_status horizon_update(opac_learning *l, opac_error *error)
{
    horizon_state *own = horizon_state_of(&l->run);
    uint64_t horizon = l->report.horizon;
    double value;
    own->is_current = false;
    TRY(sample_statistics_refresh(&l->run.stats, NULL, error));
    if (!own->is_free)
        TRY(check_rows(l, error));
    if (l->refuted.kind != OPAC_REFUTED_NONE)
        return OPAC_OK;
    TRY(horizon_model_update(own->model, horizon, own->stop_handle, error));
    const sample_positional *best = frequencies_best(own->frequencies, &value);
    own->risk = (horizon_bound){.value = 1};
    if (value > 0 && !own->is_free)
        TRY(horizon_model_risk(own->model, best, horizon, own->stop_handle, &own->risk, error));
    own->reach = horizon_model_upper(own->model).value;
    own->upper = own->is_free ? 1 : fmin(own->reach + l->options.epsilon + SUM_ROUNDING, 1);
    horizon_find_lower(l);
    if (own->is_free)
        TRY(horizon_free_compare(l, error));
    own->is_current = true;
    return OPAC_OK;
}

const sample_positional *horizon_policy_to_return(const horizon_state *own)
{
    double value;
    if (own->source == HORIZON_FROM_CURRENT)
        return &own->current.policy;
    if (own->source == HORIZON_FROM_BEST)
        return &own->best.policy;
    return frequencies_best(own->frequencies, &value);
}

/* ---- tests of T ---- */

opac_status horizon_test_bounds(opac_learning *l, bool *is_refuted)
{
    const horizon_state *own = horizon_state_of(&l->run);
    const sample_budget *budget = sample_row_sets_budget(own->sets);
    const sample_candidate *candidate = &own->current;
    *is_refuted = true;
    if (own->is_crossed)
        l->refuted = (sample_refutation){
            .kind = OPAC_REFUTED_CROSSING, .row = SAMPLE_NONE, .state = SAMPLE_NONE};
    else if (sample_candidate_refutes(candidate, budget, l->options.epsilon))
        l->refuted = (sample_refutation){.kind = OPAC_REFUTED_VERDICT,
                                         .row = SAMPLE_NONE,
                                         .state = SAMPLE_NONE,
                                         .count = candidate->changed,
                                         .visits = candidate->longer};
    else
        *is_refuted = false;
    return OPAC_OK;
}

/* A question about the runs of a policy, with the work that is left. */
typedef struct question {
    opac_learning *l;
    const sample_positional *policy;
    uint64_t work;
    horizon_cover_outcome outcome;
    bool is_short; /* in all models, fewer than 1 - ε of the runs are done */
} question;

static opac_status ask(question *q, uint64_t horizon, opac_error *error)
{
    horizon_state *own = horizon_state_of(&q->l->run);
    double bound;
    TRY(horizon_model_cover(own->model, q->policy, horizon, q->work, own->stop_handle, &q->outcome,
                            &bound, error));
    q->is_short =
        q->outcome == HORIZON_COVER_BOUND && bound < nextafter(1 - q->l->options.epsilon, 0);
    return OPAC_OK;
}

/* A lower bound on the time of the policy in all models: by doubling, and then by halving. */
static opac_status measure(question *q, opac_error *error)
{
    opac_learn_report *r = &q->l->report;
    uint64_t low = r->horizon, high = 0;
    for (int i = 0; i < 40 && (high == 0 || high - low > 1 + low / 64); i++) {
        uint64_t next = high == 0 ? 2 * low : low + (high - low) / 2;
        TRY(ask(q, next, error));
        if (q->outcome == HORIZON_COVER_UNKNOWN)
            break;
        if (q->is_short)
            low = next;
        else
            high = next;
    }
    r->horizon_found = low + 1;
    r->horizon_is_bound = true;
    return OPAC_OK;
}

opac_status horizon_test_cover(opac_learning *l, bool *is_refuted, opac_error *error)
{
    horizon_state *own = horizon_state_of(&l->run);
    opac_learn_report *r = &l->report;
    question q = {.l = l,
                  .policy = horizon_policy_to_return(own),
                  .work = l->options.recurrence_work > 0 ? l->options.recurrence_work : usual_work};
    own->plan.tested_steps = l->run.steps;
    *is_refuted = false;
    r->horizon_check = OPAC_HORIZON_UNCHECKED;
    r->horizon_found = 0;
    r->horizon_is_bound = false;
    if (l->run.stats.start == SAMPLE_NONE)
        return OPAC_OK;
    TRY(ask(&q, r->horizon, error));
    if (q.outcome == HORIZON_COVER_UNKNOWN)
        return OPAC_OK;
    *is_refuted = q.is_short;
    r->horizon_check = q.is_short ? OPAC_HORIZON_REFUTED : OPAC_HORIZON_CONSISTENT;
    if (!q.is_short)
        return OPAC_OK;
    l->refuted = (sample_refutation){
        .kind = OPAC_REFUTED_RECURRENCE, .row = SAMPLE_NONE, .state = SAMPLE_NONE};
    return measure(&q, error);
}
