/* SPDX-License-Identifier: MIT */
/*
 * The report of a bracket from T: numbers, statement and assumptions. By docs/theory.md, Theorem 17, with
 * confidence 1 - δ, whenever the run ended:
 *
 *     the policy satisfies the objective with probability at least L, and no policy with more than U
 */
#include <inttypes.h>
#include <math.h>

#include "horizon/horizon_bracket.h"
#include "sample/assumptions.h"
#include "sample/bracket_statement.h"

static void describe_refutation(const opac_learning *l, base_text *text)
{
    const opac_learn_report *r = &l->report;
    base_text_add(text, "no guarantee: ");
    if (l->refuted.kind == OPAC_REFUTED_SUM) {
        sample_describe_dependent_draws(l, text);
        return;
    }
    base_text_format(text, "T = %" PRIu64 " is refuted: ", r->horizon);
    if (l->refuted.kind == OPAC_REFUTED_RECURRENCE)
        base_text_format(text,
                         "in every model that agrees with the samples, the %s-recurrence time of "
                         "the policy is at least %" PRIu64,
                         sample_show(l->options.epsilon).text, r->horizon_found);
    else if (l->refuted.kind == OPAC_REFUTED_CROSSING)
        base_text_add(text, "the lower bound exceeds the upper bound");
    else
        base_text_format(text,
                         "of %" PRIu64 " episodes that ran on to 2 T steps, %" PRIu64
                         " were decided otherwise than after T steps, more than a share of %s "
                         "explains",
                         l->refuted.visits, l->refuted.count, sample_show(l->options.epsilon).text);
    base_text_format(text, " (if T were right, this would happen with probability at most %s)",
                     sample_show(l->options.delta).text);
}

static opac_status state(opac_learning *l, opac_error *error)
{
    base_text text = {0};
    if (l->report.end == OPAC_END_REFUTED)
        describe_refutation(l, &text);
    else if (l->report.end == OPAC_END_EXCEEDED) {
        base_text_add(&text, "no guarantee: ");
        sample_describe_exceeded(l, &text);
    } else if (horizon_state_of(&l->run)->is_searching) {
        base_text_format(&text, "no guarantee: T = %" PRIu64 " was searched for, not given",
                         l->report.horizon);
        if (l->report.end != OPAC_END_DONE)
            base_text_format(&text, "; %s", sample_end_reason(l));
    } else
        sample_describe_bracket(l, &text);
    return sample_set_statement(l, &text, error);
}

static opac_status assume_all(opac_learning *l, opac_error *error)
{
    if (horizon_state_of(&l->run)->is_free)
        return sample_assume_episodes(l, error);
    if (l->options.horizon > 0)
        TRY(sample_assume_horizon(l, error));
    TRY(sample_assume_sizes(l, error));
    return sample_assume_sampling(l, error);
}

static opac_status measure(opac_learning *l, opac_error *error)
{
    const horizon_state *own = horizon_state_of(&l->run);
    const sample_budget *budget = sample_row_sets_budget(own->sets);
    opac_learn_report *r = &l->report;
    const sample_candidate *candidate =
        own->source == HORIZON_FROM_BEST ? &own->best : &own->current;
    double value = 0;
    r->delta_support = budget->support;
    r->delta_interval = budget->interval;
    r->delta_episodes = budget->episodes;
    r->candidates = own->plan.tried;
    r->lower_is_model = own->source == HORIZON_FROM_FREQUENCIES;
    bool has_trial = own->source == HORIZON_FROM_CURRENT || own->source == HORIZON_FROM_BEST;
    r->trial_episodes = has_trial ? candidate->episodes : 0;
    r->trial_wins = has_trial ? candidate->wins : 0;
    if (l->run.stats.start != SAMPLE_NONE)
        TRY(frequencies_value(own->frequencies, own->returned, NULL, &value, error));
    r->trial_horizon = has_trial ? candidate->horizon : 0;
    r->nothing_known = own->is_free;
    bool is_void = r->end == OPAC_END_REFUTED || r->end == OPAC_END_EXCEEDED || own->is_searching;
    sample_report_bracket(l, &(sample_bracket_end){.lower = own->lower,
                                                   .upper = own->upper,
                                                   .value = value,
                                                   .wanted = own->is_free ? NAN : own->target,
                                                   .is_void = is_void});
    if (own->is_free)
        r->horizon = 0;
    return OPAC_OK;
}

opac_status horizon_report(opac_learning *l, opac_error *error)
{
    sample_report_counts(l);
    TRY(measure(l, error));
    TRY(state(l, error));
    return assume_all(l, error);
}
