/* SPDX-License-Identifier: MIT */
/*
 * omegapac learn: what the model itself says. None of it reaches the learner.
 *
 * Of several initial states one is drawn, all alike: a probability is the
 * average over them.
 */
#include <math.h>
#include <stdio.h>

#include <omegapac/check.h>

#include "cli/learn.h"
#include "cli/lines.h"

enum {
    MOST_TRACED = 2000000 /* states of the model · memory of the policy · policies evaluated */
};

static double average_policy(const opac_evaluation *evaluation, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += opac_evaluation_interval(evaluation, i).value;
    return sum / count;
}

static double average_optimum(const opac_solution *solution, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += opac_solution_interval(solution, i).value;
    return sum / count;
}

/* What the policy was made for, if only its own automaton says it. */
static const opac_objective *to_evaluate(const opac_objective *objective)
{
    bool is_guess =
        objective->automaton != NULL && !opac_automaton_is_deterministic(objective->automaton);
    return is_guess ? NULL : objective;
}

/*
 * While it learns, a request to stop does not end it, which is soon done: the checkpoint shall have
 * the number, too. And the learning is followed then, not this.
 */
static opac_status evaluate(const cli_learn *l, const opac_policy *policy,
                            const opac_objective *objective, bool while_learning, double *value,
                            opac_error *error)
{
    opac_evaluation *evaluation;
    opac_evaluation_options options = {.max_states =
                                           l->model.arguments->values[CLI_MODEL_STATES].count,
                                       .cancel = while_learning ? NULL : l->model.cancel,
                                       .progress = while_learning ? NULL : l->model.progress};
    opac_status status = opac_evaluate(policy, objective, &options, &evaluation, error);
    if (status != OPAC_OK)
        return status;
    *value = average_policy(evaluation, opac_model_initial_count(l->model.model));
    opac_evaluation_free(evaluation);
    return OPAC_OK;
}

/* ---- the trace ---- */

/* By its own automaton, if that is deterministic: then no formula is translated each time. */
static opac_status evaluate_traced(const cli_learn *l, const opac_policy *policy, double *value,
                                   opac_error *error)
{
    const opac_automaton *automaton = opac_policy_automaton(policy);
    opac_objective own = {.automaton = automaton};
    bool is_own = automaton != NULL && opac_automaton_is_deterministic(automaton);
    return evaluate(l, policy, is_own ? &own : to_evaluate(cli_learn_objective(l)), true, value,
                    error);
}

/* Many policies of a large model would take longer than the learning: which of them are
 * evaluated follows from sizes, not from the clock, so that a trace can be repeated. */
static bool is_affordable(const cli_learn *l)
{
    double size = (double)opac_model_states(l->model.model) * l->memory;
    return size * (double)l->traced <= MOST_TRACED;
}

static opac_status add_truth(cli_learn *l, const opac_learning *learning, opac_trace_entry *entry,
                             opac_error *error)
{
    opac_policy *policy = NULL;
    double value = NAN;
    opac_status status = opac_learning_policy(learning, l->model.model, &policy, error);
    if (status != OPAC_OK)
        return status;
    l->memory = opac_policy_memory(policy); /* the same for all: the automaton's states */
    if (is_affordable(l))
        status = evaluate_traced(l, policy, &value, error);
    if (status == OPAC_OK)
        entry->truth = value;
    opac_policy_free(policy);
    return status;
}

/* With a bracket the listener is there for the progress line, too. */
static bool is_shown(const cli_learn *l)
{
    const cli_value *values = l->model.arguments->values;
    return values[CLI_TRACE].given || (values[CLI_JSON].given && !values[CLI_RUNS].given);
}

/* What cannot be evaluated stays unknown. */
void cli_learn_trace(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    cli_learn *l = context;
    opac_error error;
    if (l->is_bracket) {
        l->lower = isnan(entry->lower) ? l->lower : entry->lower;
        l->upper = isnan(entry->upper) ? l->upper : entry->upper;
    }
    l->traced++;
    if (learning != NULL && l->model.model != NULL && is_shown(l) && is_affordable(l) &&
        add_truth(l, learning, entry, &error) == OPAC_ERROR_MEMORY)
        l->failed = error;
}

void cli_learn_echo_entry(const cli_learn *l, const opac_trace_entry *entry, opac_json *json)
{
    opac_json_begin_object(json);
    cli_echo_number(json, "episode", entry->episode);
    cli_echo_number(json, "step", entry->step);
    cli_echo_number(json, "known", entry->known);
    cli_echo_double(json, "value", entry->value);
    if (l->is_bracket) {
        cli_echo_double(json, "lower", entry->lower);
        cli_echo_double(json, "upper", entry->upper);
    } else {
        cli_echo_number(json, "T", entry->horizon);
    }
    cli_echo_double(json, "truth", entry->truth);
    opac_json_end_object(json);
}

static void write_entry(const cli_learn *l, const opac_trace_entry *entry, opac_output *out)
{
    opac_json json;
    opac_json_init(&json, out);
    cli_learn_echo_entry(l, entry, &json);
    opac_output_text(out, "\n");
}

opac_status cli_learn_write_trace(const cli_learn *l, opac_error *error)
{
    const char *path = l->model.arguments->values[CLI_TRACE].text;
    sigset_t before;
    opac_output *out;
    size_t count;
    const opac_trace_entry *entries = opac_learning_trace(l->learning, &count);
    cli_signals_hold(path, &before);
    opac_status status = opac_output_open_file(path, &out, error);
    if (status == OPAC_OK) {
        for (size_t i = 0; i < count; i++)
            write_entry(l, &entries[i], out);
        status = opac_output_commit(out, error);
        opac_output_free(out);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

/* ---- the end ---- */

/* No reason to fail: it is only beside what was asked for. */
static opac_status leave_note(cli_learn *l, opac_status status, const opac_error *error)
{
    if (status == OPAC_OK || status == OPAC_ERROR_CANCELLED || status == OPAC_ERROR_MEMORY)
        return status;
    snprintf(l->truth.note, sizeof l->truth.note, "%s", error->message);
    return OPAC_OK;
}

opac_status cli_learn_find_optimum(cli_learn *l, opac_error *error)
{
    const cli_value *values = l->model.arguments->values;
    opac_solution *solution = NULL;
    opac_check_options options = {.kind = l->options.kind,
                                  .max_states = values[CLI_MODEL_STATES].count,
                                  .threads = l->options.threads,
                                  .cancel = l->model.cancel,
                                  .progress = l->model.progress};
    l->truth = (cli_truth){.policy = NAN, .optimum = NAN};
    if (l->model.model == NULL)
        return OPAC_OK;
    opac_status status =
        opac_check(l->model.model, cli_learn_objective(l), &options, &solution, error);
    if (status == OPAC_OK)
        l->truth.optimum = average_optimum(solution, opac_model_initial_count(l->model.model));
    opac_solution_free(solution);
    return leave_note(l, status, error);
}

opac_status cli_learn_find_policy_truth(cli_learn *l, opac_error *error)
{
    const opac_objective *objective = to_evaluate(cli_learn_objective(l));
    l->truth.policy = NAN;
    if (l->model.model == NULL)
        return OPAC_OK;
    opac_status status = evaluate(l, l->policy, objective, false, &l->truth.policy, error);
    return leave_note(l, status, error);
}
