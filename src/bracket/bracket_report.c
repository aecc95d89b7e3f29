/* SPDX-License-Identifier: MIT */
/*
 * The report of a run with p_min or a graph: numbers, statement and assumptions. By docs/theory.md, Theorem
 * 14, with confidence 1 - δ, whenever the run ended:
 *
 *     the policy satisfies the objective with probability at least L, and no policy with more than U
 *
 * So the policy's probability lies in [L, U] and is within U - L of the optimum. For a least probability the
 * automaton accepts the complement of the objective, and the report has 1 - U and 1 - L.
 */
#include <inttypes.h>
#include <math.h>

#include <omegapac/text.h>

#include "base/cancel.h"
#include "bracket/bracket.h"
#include "bracket/support_form.h"
#include "sample/assumptions.h"
#include "sample/bracket_statement.h"
#include "sample/budget.h"
#include "sample/class_sets.h"
#include "sample/statistics_form.h"

enum {
    SHOWN = 64 /* of a state's key */
};

/* ---- numbers ---- */

static bool is_void(const opac_learn_report *r)
{
    return r->end == OPAC_END_REFUTED || r->end == OPAC_END_EXCEEDED;
}

/* Limits the computation of the chain by the caller's handle and the time limit, but if one of them has
 * already ended the run, by a grace period. */
static void limit_chain(const opac_learning *l, opac_cancel *brake)
{
    const double grace = 0.25; /* seconds */
    bool is_stopped = opac_cancel_requested(l->options.cancel);
    double left = l->run.deadline > 0 ? l->run.deadline - opac_clock_seconds() : INFINITY;
    if (!is_stopped)
        base_cancel_follow(brake, l->options.cancel);
    if (is_stopped || left < INFINITY)
        opac_cancel_set_deadline(brake, is_stopped ? grace : fmax(left, grace));
    bracket_model_set_limits(bracket_model_of(&l->run), NULL, NULL, brake);
}

/* The policy's value in the model of the frequencies; the lower bound if there is no time to compute it. */
static opac_status find_value(opac_learning *l, double *value, opac_error *error)
{
    sample_chain chain;
    opac_cancel *brake;
    const bracket_state *own = l->run.own;
    TRY(opac_cancel_new(&brake, error));
    limit_chain(l, brake);
    opac_status status =
        own->returned != NULL
            ? frequencies_value(own->frequencies, own->returned, brake, value, error)
            : bracket_model_chain(own->bracket, &chain, value, error);
    bracket_model_set_limits(bracket_model_of(&l->run), NULL, NULL, NULL);
    opac_cancel_free(brake);
    if (status != OPAC_ERROR_CANCELLED)
        return status;
    *value = own->lower;
    return OPAC_OK;
}

static opac_status measure(opac_learning *l, opac_error *error)
{
    opac_learn_report *r = &l->report;
    double value;
    const bracket_state *own = l->run.own;
    const sample_candidate *candidate = bracket_candidate(own);
    bracket_bounds b = bracket_of(own);
    if (l->options.pmin_of != NULL)
        TRY(bracket_support_find_least(own->support, &r->pmin_least, error));
    r->horizon = 0;
    r->delta_support = own->budget.support + own->budget.unseen;
    r->delta_interval = own->budget.interval + own->budget.discovery;
    r->delta_episodes = own->budget.episodes;
    r->candidates = own->plan.tried;
    r->lower_is_model = candidate == NULL;
    r->trial_episodes = candidate != NULL ? candidate->episodes : 0;
    r->trial_wins = candidate != NULL ? candidate->wins : 0;
    r->trial_horizon = candidate != NULL ? candidate->horizon : 0;
    r->complete = sample_statistics_finished(&l->run.stats);
    TRY(find_value(l, &value, error));
    sample_report_bracket(l, &(sample_bracket_end){.lower = b.lower,
                                                   .upper = b.upper,
                                                   .value = value,
                                                   .wanted = l->options.epsilon,
                                                   .is_void = is_void(r)});
    return OPAC_OK;
}

/* ---- words ---- */

static void add_successor(const opac_learning *l, base_text *text)
{
    char key[SHOWN];
    if (l->refuted.state == SAMPLE_NONE)
        base_text_add(text, "a state");
    else
        base_text_format(text, "state '%s'",
                         sample_statistics_show(&l->run.stats, l->refuted.state, key, sizeof key));
}

/* Rows alike: the class of a row, as text. */
static const char *show_class(const opac_learning *l, uint32_t row, char *buffer, size_t size)
{
    const sample_classes *classes = l->run.stats.classes;
    size_t length;
    const unsigned char *name =
        sample_classes_name(classes, sample_classes_of_row(classes, row), &length);
    return opac_text_show((const char *)name, length, buffer, size);
}

static bool is_about_classes(opac_refutation kind)
{
    return kind == OPAC_REFUTED_CLASS || kind == OPAC_REFUTED_OUTCOME ||
           kind == OPAC_REFUTED_ALIKE || kind == OPAC_REFUTED_NEW_OUTCOME;
}

static void describe_classes(const opac_learning *l, base_text *text)
{
    const sample_refutation *f = &l->refuted;
    char row[SAMPLE_ROW_SHOWN], class[SHOWN];
    base_text_add(text, "no guarantee: an assumption is refuted: ");
    if (f->kind == OPAC_REFUTED_CLASS || f->kind == OPAC_REFUTED_OUTCOME) {
        base_text_format(text, "%s had ",
                         sample_statistics_show_row(&l->run.stats, f->row, row, sizeof row));
        base_text_add(text, f->kind == OPAC_REFUTED_CLASS
                                ? "two classes"
                                : "the same outcome twice, with different successors");
        return;
    }
    show_class(l, f->row, class, sizeof class);
    if (f->kind == OPAC_REFUTED_ALIKE)
        base_text_format(
            text,
            "the state-action pairs of class '%s' are not alike: no probabilities explain "
            "its outcomes, of %" PRIu64
            " steps, in all of them (if they were alike, this would happen with probability at "
            "most %s)",
            class, f->visits, sample_show(fmax(SAMPLE_ALIKE_LEVEL, l->options.delta)).text);
    else
        base_text_format(
            text,
            "class '%s' has %" PRIu64 " outcomes in %" PRIu64
            " steps, more than probabilities of at least %s allow (if it were true, this "
            "would happen with probability at most %s)",
            class, f->count, f->visits, sample_show(l->options.pmin_outcome).text,
            sample_show(l->options.delta).text);
}

static void describe_refutation(const opac_learning *l, base_text *text)
{
    const sample_refutation *f = &l->refuted;
    char row[SAMPLE_ROW_SHOWN];
    if (is_about_classes(f->kind)) {
        describe_classes(l, text);
        return;
    }
    if (f->kind == OPAC_REFUTED_CROSSING) {
        base_text_format(text,
                         "no guarantee: an assumption is refuted: the lower bound by the episodes "
                         "of a policy exceeds the upper bound (if all were true, this would happen "
                         "with probability at most %s)",
                         sample_show(l->options.delta).text);
        return;
    }
    double least = bracket_support_pmin(bracket_support_of(&l->run), f->row);
    if (f->kind == OPAC_REFUTED_SUM && !(least > 0)) {
        base_text_add(text, "no guarantee: ");
        sample_describe_dependent_draws(l, text);
        return;
    }
    sample_number pmin = sample_show(least);
    base_text_format(text, "no guarantee: %s refuted: ",
                     f->kind == OPAC_REFUTED_EDGE ? "the graph is" : "an assumption is");
    base_text_format(text, "%s led to ",
                     sample_statistics_show_row(&l->run.stats, f->row, row, sizeof row));
    if (f->kind == OPAC_REFUTED_WIDTH)
        base_text_format(text,
                         "%" PRIu64 " different states in %" PRIu64
                         " visits, more than probabilities of at least %s allow",
                         f->count, f->visits, pmin.text);
    else if (f->kind == OPAC_REFUTED_SUM)
        base_text_format(text,
                         "its successors, in %" PRIu64
                         " visits, with frequencies that no probabilities of at least %s explain",
                         f->visits, pmin.text);
    else {
        add_successor(l, text);
        if (f->count == 1)
            base_text_add(text, " once");
        else
            base_text_format(text, " %" PRIu64 " times", f->count);
        base_text_format(text, " in %" PRIu64 " visits", f->visits);
    }
    if (f->kind == OPAC_REFUTED_FREQUENCY)
        base_text_format(text, ", too rarely for a probability of at least %s", pmin.text);
    else if (f->kind == OPAC_REFUTED_SUPPORT)
        base_text_format(text,
                         ", for the first time after all successors with a probability of at "
                         "least %s should have been seen",
                         pmin.text);
    else if (f->kind == OPAC_REFUTED_EDGE)
        base_text_add(text, ", where the graph has no edge");
    if (f->kind != OPAC_REFUTED_EDGE && f->kind != OPAC_REFUTED_WIDTH)
        base_text_format(text, " (if it were true, this would happen with probability at most %s)",
                         sample_show(l->options.delta).text);
}

static opac_status state(opac_learning *l, opac_error *error)
{
    const opac_learn_report *r = &l->report;
    base_text text = {0};
    if (r->end == OPAC_END_REFUTED)
        describe_refutation(l, &text);
    else if (r->end == OPAC_END_EXCEEDED) {
        base_text_add(&text, "no guarantee: ");
        sample_describe_exceeded(l, &text);
    } else
        sample_describe_bracket(l, &text);
    return sample_set_statement(l, &text, error);
}

/* ---- assumptions ---- */

/* The assumption about a random reset; a graph gives its support. */
static opac_status assume_reset(opac_learning *l, opac_error *error)
{
    if (!l->traits.random_start)
        return OPAC_OK;
    if (l->options.pmin_start > 0)
        return sample_assume(l, error, "every start state has a probability of at least %s",
                             sample_show(l->options.pmin_start).text);
    return sample_assume(l, error,
                         "start states are drawn independently of each other; no bound on their "
                         "probabilities is assumed");
}

/* Values of 0, which are possible with a graph only, bound nothing. */
static opac_status assume_function(opac_learning *l, opac_error *error)
{
    if (l->report.pmin_least > 0)
        return sample_assume(
            l, error,
            "p_min is given by a function of state and action, at least %s over the "
            "pairs seen: every positive probability of a transition is at least that of its pair",
            sample_show(l->report.pmin_least).text);
    return sample_assume(l, error,
                         "p_min is given by a function of state and action: where it is known, "
                         "every positive probability of a "
                         "transition is at least that of its pair");
}

static opac_status assume_alike(opac_learning *l, opac_error *error)
{
    TRY(sample_assume(l, error,
                      "state-action pairs of one class are alike: the class is a function of state "
                      "and action, the "
                      "probability of an outcome depends on the class only, and the successor is a "
                      "function of state, "
                      "action and outcome"));
    return l->options.pmin_outcome > 0
               ? sample_assume(l, error, "every positive probability of an outcome is at least %s",
                               sample_show(l->options.pmin_outcome).text)
               : OPAC_OK;
}

static opac_status assume_all(opac_learning *l, opac_error *error)
{
    if (l->options.pmin_of != NULL)
        TRY(assume_function(l, error));
    else if (l->options.pmin > 0)
        TRY(sample_assume(l, error, "every positive transition probability is at least %s",
                          sample_show(l->options.pmin).text));
    TRY(assume_reset(l, error));
    if (l->options.graph != NULL)
        TRY(sample_assume(
            l, error,
            "the graph is right: an action%s can lead to its successors in the graph, "
            "and to no other state",
            l->traits.random_start ? ", and the reset," : ""));
    if (l->options.alike)
        TRY(assume_alike(l, error));
    TRY(sample_assume_sizes(l, error));
    return sample_assume_sampling(l, error);
}

/* ---- report ---- */

opac_status bracket_report(opac_learning *l, opac_error *error)
{
    sample_report_counts(l);
    TRY(measure(l, error));
    TRY(state(l, error));
    return assume_all(l, error);
}
