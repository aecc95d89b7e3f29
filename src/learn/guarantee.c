/* SPDX-License-Identifier: MIT */
/*
 * What a run has earned, in numbers and in words (theory.md, section 3):
 *
 *     error  2 (ε + c) + η + risk     the policy is at most so far from the best one
 *     lower, upper                    p̂ - (ε + c) - risk, p̂ + (ε + c): the policy's probability
 *     optimum_upper                   p̂ + η + (ε + c)
 *
 * with p̂ the policy's value in the optimistic model, of which an enclosure of
 * width η is known, and risk the probability of meeting what is unknown (--slack).
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include <omegapac/number.h>

#include "aut/automaton.h"
#include "learn/learning.h"

/* ---- numbers ---- */

static double clip(double p)
{
    return p < 0 ? 0 : p > 1 ? 1 : p;
}

/* All of the acceptance of the automaton; of a least probability, of the complement of that. */
static void enclose(opac_learning *l, learn_value value)
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

static void count(opac_learning *l)
{
    opac_learn_report *r = &l->report;
    const learn_run *run = &l->run;
    r->automaton_states = l->automaton->state_count;
    uint64_t states = r->states > 0 ? r->states : run->world.states.count;
    r->product_states = opac_count_of(states);
    if (r->automaton_states > 0)
        r->product_states = opac_count_times(&r->product_states, r->automaton_states);
    r->product_reachable = run->world.pairs.count;
    r->episodes = run->episodes;
    r->steps = run->steps;
    r->known = run->world.known;
    r->policies = run->policies;
    r->solves = learn_optimist_solves(run->optimist);
    r->states_seen = run->world.states.count;
    r->pairs_seen = run->world.counters.count;
    r->samples = 0;
    for (size_t i = 0; i < run->world.counters.count; i++)
        r->samples += run->world.counters.items[i].count;
}

/* ---- words ---- */

typedef struct number {
    char text[OPAC_NUMBER_SIZE];
} number;

static number show(double value)
{
    number n;
    opac_number_format(value, n.text);
    return n;
}

static number show_up(double value)
{
    number n;
    opac_number_format_up(value, 6, n.text);
    return n;
}

static number show_down(double value)
{
    number n;
    opac_number_format_down(value, 6, n.text);
    return n;
}

/* 1 - delta, whose last digits are those of a subtraction: 0.1 and not 0.09999999999999998. */
static number show_confidence(double confidence)
{
    double rounded = rint(confidence * 1e12) / 1e12;
    return show(rounded < 1 ? rounded : confidence);
}

static const char *end_reason(const opac_learning *l)
{
    switch (l->report.end) {
    case OPAC_END_STEPS:
        return l->options.max_steps > 0 ? "the steps that were allowed ended the run"
                                        : "the run took as many steps as 64 bits can count";
    case OPAC_END_SECONDS:
        return "the time that was allowed ended the run";
    case OPAC_END_CANCELLED:
        return "the run was stopped";
    case OPAC_END_LIVELOCK:
        return "the environment never led to what it had shown to be possible (livelock): its "
               "episodes are not independent";
    default:
        return NULL;
    }
}

static void add_reason(base_text *text, const char *format, ...) BASE_PRINTF(2, 3);
static void add_reason(base_text *text, const char *format, ...)
{
    va_list arguments;
    base_text_add(text, text->length == 0 ? "no guarantee: " : "; ");
    va_start(arguments, format);
    base_text_format_list(text, format, arguments);
    va_end(arguments);
}

static void explain_exceeded(const opac_learning *l, base_text *text)
{
    const learn_limits *most = &l->run.world.most;
    const char *what = l->report.exceeded;
    bool states = what[0] == 's', actions = what[0] == 'a';
    uint64_t seen = states ? most->states : actions ? most->actions : most->branching;
    uint64_t declared = states    ? l->declared.states
                        : actions ? l->declared.actions
                                  : l->declared.branching;
    add_reason(text, "there are more %s than the %" PRIu64 " that were declared, at least %" PRIu64,
               states    ? "states"
               : actions ? "actions of a state"
                         : "successors of an action",
               declared, seen);
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
                   "no bound on the %s of the environment is known, so that nobody can say "
                   "what k = %" PRIu64 " observations are worth",
                   l->declared.states == 0 ? "states" : "actions", r->k);
        return;
    }
    if (opac_bound_k_for_accuracy(&l->params, accuracy, &needed, NULL) != OPAC_OK)
        return;
    add_reason(text, "k = %" PRIu64 " is below the %s that an error of %s asks for", r->k,
               opac_count_text(&needed, wanted),
               show(o->target > 0 ? o->target : 4 * o->epsilon).text);
    if (r->error < 1)
        base_text_format(text, " (this k gives an error of %s: a target of that asks for it)",
                         show_up(r->error).text);
    else
        base_text_add(text, " (this k gives no error below 1)");
}

static void explain(const opac_learning *l, base_text *text)
{
    const opac_learn_report *r = &l->report;
    if (r->end == OPAC_END_EXCEEDED)
        explain_exceeded(l, text);
    else if (r->end != OPAC_END_DONE)
        add_reason(text, "%s", end_reason(l));
    if (l->options.horizon == 0)
        add_reason(text, "T = %" PRIu64 " was searched for, not given", r->horizon);
    else if (r->horizon_check == OPAC_HORIZON_REFUTED)
        add_reason(text,
                   "T = %" PRIu64 " is refuted: under the learned policy the learned chain's "
                   "recurrence time is %s%" PRIu64,
                   r->horizon, r->horizon_is_bound ? "at least " : "", r->horizon_found);
    if (!learn_theory_is_met(l))
        explain_k(l, text);
    else if (!(r->error < 1))
        add_reason(text, "the error, %s, says nothing about a probability", show_up(r->error).text);
}

static void promise(const opac_learning *l, base_text *text)
{
    const opac_learn_report *r = &l->report;
    base_text_format(text,
                     "with probability at least %s the policy is within %s of the %s, and its own "
                     "probability lies between %s and %s",
                     show_confidence(r->confidence).text, show_up(r->error).text,
                     l->least ? "least probability" : "greatest probability",
                     show_down(r->lower).text, show_up(r->upper).text);
}

static opac_status state(opac_learning *l, opac_error *error)
{
    base_text text = {0};
    if (l->report.holds)
        promise(l, &text);
    else
        explain(l, &text);
    opac_status status = base_text_check(&text, error);
    if (status == OPAC_OK)
        l->statement = base_text_take(&text);
    base_text_fini(&text);
    return status;
}

/* ---- what it assumes ---- */

static opac_status assume(opac_learning *l, opac_error *error, const char *format, ...)
    BASE_PRINTF(3, 4);
static opac_status assume(opac_learning *l, opac_error *error, const char *format, ...)
{
    base_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    base_text_format_list(&text, format, arguments);
    va_end(arguments);
    opac_status status = base_text_check(&text, error);
    if (status == OPAC_OK)
        status = learn_text_vec_reserve(&l->assumptions, l->assumptions.count + 1, error);
    if (status == OPAC_OK)
        l->assumptions.items[l->assumptions.count++] = base_text_take(&text);
    base_text_fini(&text);
    return status;
}

static bool has_absorbing(const learn_world *world)
{
    for (size_t i = 0; i < world->states.count; i++)
        if (world->states.items[i].actions == 0)
            return true;
    return false;
}

static opac_status assume_bounds(opac_learning *l, opac_error *error)
{
    const opac_learn_report *r = &l->report;
    opac_status status = OPAC_OK;
    if (!l->has_bounds)
        return OPAC_OK;
    status = assume(l, error, "the environment has at most %" PRIu64 " states (N = %" PRIu64 ")",
                    r->states, r->theory_states);
    if (status == OPAC_OK)
        status = assume(l, error, "a state has at most %" PRIu64 " actions (K = %" PRIu64 ")",
                        r->actions, r->theory_actions);
    if (status == OPAC_OK && r->branching > 0)
        status = assume(l, error, "an action%s leads to at most m = %" PRIu64 " different states",
                        l->traits.random_start ? ", and the reset," : "", l->params.branching);
    else if (status == OPAC_OK)
        status = assume(l, error,
                        "m = %" PRIu64 ": an action may lead to any of the states, which are no "
                        "more than that",
                        l->params.branching);
    return status;
}

static opac_status assume_all(opac_learning *l, opac_error *error)
{
    opac_status status = assume(
        l, error,
        "T = %" PRIu64 " bounds the %s-recurrence time of every positional policy of the "
        "product%s",
        l->report.horizon, show(l->options.epsilon).text,
        l->run.world.reset_row != LEARN_NONE ? ", the random reset being one step of it" : "");
    if (status == OPAC_OK)
        status = assume_bounds(l, error);
    if (status == OPAC_OK)
        status = assume(l, error,
                        "episodes are independent, and the same action in the same state always "
                        "has the same probabilities");
    if (status == OPAC_OK && has_absorbing(&l->run.world))
        status = assume(l, error, "a run stays for ever in a state without actions");
    if (status == OPAC_OK && l->report.is_guess)
        status = assume(l, error, "the automaton is good for MDPs");
    return status;
}

/* ---- all ---- */

opac_status learn_guarantee(opac_learning *l, opac_error *error)
{
    opac_learn_report *r = &l->report;
    learn_value value = learn_optimist_value(l->run.optimist);
    count(l);
    r->confidence = 1 - l->options.delta;
    r->solver = value.upper - value.lower;
    r->value = l->least ? 1 - value.lower : value.lower;
    r->error = 2 * (l->options.epsilon + r->accuracy) + r->solver + r->risk;
    r->holds = r->end == OPAC_END_DONE && l->options.horizon > 0 &&
               r->horizon_check != OPAC_HORIZON_REFUTED && learn_theory_is_met(l) && r->error < 1;
    enclose(l, value);
    opac_status status = state(l, error);
    return status == OPAC_OK ? assume_all(l, error) : status;
}
