/* SPDX-License-Identifier: MIT */
/*
 * The report of ω-PAC: numbers, statement and assumptions (docs/theory.md, Theorem 5 and Theorem 6). With
 * probability at least 1 - δ,
 *
 *     error           2 (ε + c) + η + risk      the policy is within this of the optimum
 *     lower, upper    p̂ - (ε + c) - risk, p̂ + (ε + c)     enclose the policy's probability
 *     optimum_upper   p̂ + η + (ε + c)           is at least the optimum
 *
 * where p̂ is the policy's value in the optimistic model, known up to an enclosure of width η, and risk the
 * probability of taking an unknown choice within T steps (0 without a slack).
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#include "aut/automaton.h"
#include "omega_pac/omega_pac.h"
#include "sample/assumptions.h"
#include "sample/bracket_statement.h"

/* ---- numbers ---- */

static double clip(double p)
{
    return p < 0 ? 0 : p > 1 ? 1 : p;
}

/* The bounds are those of acceptance by the automaton; for a least probability, of its complement. */
static void enclose(opac_learning *l, omega_pac_value value)
{
    opac_learn_report *r = &l->report;
    double loss = l->options.epsilon + r->accuracy;
    r->lower = r->upper = r->optimum_upper = NAN;
    if (r->holds) {
        r->lower = clip(value.lower - loss - r->risk);
        r->upper = r->optimum_upper = clip(value.upper + loss);
    }
    if (!l->least)
        return;
    double lower = 1 - r->upper;
    r->upper = 1 - r->lower;
    r->lower = lower;
    r->optimum_upper = 1 - r->optimum_upper;
}

/* ---- statement ---- */

static void add_reason(base_text *text, const char *format, ...) BASE_PRINTF(2, 3);
static void add_reason(base_text *text, const char *format, ...)
{
    va_list arguments;
    base_text_add(text, text->length == 0 ? "no guarantee: " : "; ");
    va_start(arguments, format);
    base_text_format_list(text, format, arguments);
    va_end(arguments);
}

static void add_exceeded(const opac_learning *l, base_text *text)
{
    add_reason(text, "%s", "");
    sample_describe_exceeded(l, text);
}

static void explain_k(const opac_learning *l, base_text *text)
{
    const opac_learn_report *r = &l->report;
    char wanted[OPAC_COUNT_SIZE];
    opac_count needed;
    const opac_learn_options *o = &l->options;
    double accuracy = o->target > 0 ? o->target / 2 - o->epsilon : o->epsilon;
    if (!l->has_bounds) {
        add_reason(text,
                   "no bound on the %s of the environment is declared, which the error of "
                   "k = %" PRIu64 " observations depends on",
                   l->declared.states == 0 ? "states" : "actions", r->k);
        return;
    }
    if (opac_bound_k_for_accuracy(&l->params, accuracy, &needed, NULL) != OPAC_OK)
        return;
    add_reason(text, "k = %" PRIu64 " is below the %s that an error of %s requires", r->k,
               opac_count_text(&needed, wanted),
               sample_show(o->target > 0 ? o->target : 4 * o->epsilon).text);
    if (r->error < 1)
        base_text_format(text, " (this k gives an error of %s, which can be set as target)",
                         sample_show_up(r->error).text);
    else
        base_text_add(text, " (this k gives no error below 1)");
}

static void explain(const opac_learning *l, base_text *text)
{
    const opac_learn_report *r = &l->report;
    if (r->end == OPAC_END_EXCEEDED)
        add_exceeded(l, text);
    else if (r->end != OPAC_END_DONE)
        add_reason(text, "%s", sample_end_reason(l));
    if (l->options.horizon == 0)
        add_reason(text, "T = %" PRIu64 " was searched for, not given", r->horizon);
    else if (r->horizon_check == OPAC_HORIZON_REFUTED)
        add_reason(text,
                   "T = %" PRIu64 " is refuted: the recurrence time of the learned chain under "
                   "the policy is %s%" PRIu64,
                   r->horizon, r->horizon_is_bound ? "at least " : "", r->horizon_found);
    if (!omega_pac_has_enough_samples(l))
        explain_k(l, text);
    else if (!(r->error < 1))
        add_reason(text, "the error %s is not below 1", sample_show_up(r->error).text);
}

static void promise(const opac_learning *l, base_text *text)
{
    const opac_learn_report *r = &l->report;
    base_text_format(text,
                     "with confidence %s the policy is within %s of the optimum, and its own "
                     "probability lies between %s and %s",
                     sample_show_confidence(r->confidence).text, sample_show_up(r->error).text,
                     sample_show_down(r->lower).text, sample_show_up(r->upper).text);
}

static opac_status state(opac_learning *l, opac_error *error)
{
    base_text text = {0};
    if (l->report.holds)
        promise(l, &text);
    else
        explain(l, &text);
    return sample_set_statement(l, &text, error);
}

/* ---- assumptions ---- */

static opac_status assume_bounds(opac_learning *l, opac_error *error)
{
    const opac_learn_report *r = &l->report;
    if (l->options.deterministic)
        TRY(sample_assume_deterministic(l, error));
    if (!l->has_bounds)
        return OPAC_OK;
    TRY(sample_assume(l, error, "the environment has at most %" PRIu64 " states (N = %" PRIu64 ")",
                      r->states, r->theory_states));
    TRY(sample_assume(l, error, "a state has at most %" PRIu64 " action%s (K = %" PRIu64 ")",
                      r->actions, r->actions == 1 ? "" : "s", r->theory_actions));
    if (l->options.deterministic)
        return OPAC_OK;
    if (r->branching > 0)
        return sample_assume(l, error,
                             "an action%s leads to at most m = %" PRIu64 " different states",
                             l->traits.random_start ? ", and the reset," : "", l->params.branching);
    return sample_assume(l, error,
                         "m = %" PRIu64 ", the number of states: an action may lead to any of them",
                         l->params.branching);
}

static opac_status assume_all(opac_learning *l, opac_error *error)
{
    TRY(sample_assume_horizon(l, error));
    TRY(assume_bounds(l, error));
    return sample_assume_sampling(l, error);
}

/* ---- report ---- */

opac_status omega_pac_report(opac_learning *l, opac_error *error)
{
    opac_learn_report *r = &l->report;
    omega_pac_value value =
        omega_pac_optimistic_model_value(omega_pac_optimistic_model_of(&l->run));
    sample_report_counts(l);
    r->solves = omega_pac_optimistic_model_solves(omega_pac_optimistic_model_of(&l->run));
    r->confidence = sample_confidence(l->options.delta);
    r->solver = value.upper - value.lower;
    r->value = l->least ? 1 - value.lower : value.lower;
    r->error = 2 * (l->options.epsilon + r->accuracy) + r->solver + r->risk;
    r->holds = r->end == OPAC_END_DONE && l->options.horizon > 0 &&
               r->horizon_check != OPAC_HORIZON_REFUTED && omega_pac_has_enough_samples(l) &&
               r->error < 1;
    enclose(l, value);
    TRY(state(l, error));
    return assume_all(l, error);
}
