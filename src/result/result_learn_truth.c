/* SPDX-License-Identifier: MIT */
/*
 * Values of learned policies and of the optimum, computed from a known model. The learner does not see
 * them. With several initial states, which are equally likely, a probability is the average over them.
 */
#include <math.h>
#include <stdio.h>

#include <omegapac/result.h>

#include "base/error.h"

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

void opac_learn_truth_init(opac_learn_truth *truth, const opac_model *model,
                           const opac_objective *objective)
{
    *truth =
        (opac_learn_truth){.model = model, .objective = objective, .policy = NAN, .optimum = NAN};
}

/* The argument of opac_evaluate. A nondeterministic automaton of the objective cannot be evaluated; NULL
 * evaluates the run of the policy's own automaton instead, which gives a bound. */
static const opac_objective *to_evaluate(const opac_objective *objective)
{
    bool is_nondeterministic =
        objective->automaton != NULL && !opac_automaton_is_deterministic(objective->automaton);
    return is_nondeterministic ? NULL : objective;
}

static opac_status evaluate(const opac_learn_truth *truth, const opac_policy *policy,
                            const opac_objective *objective, const opac_check_options *options,
                            double *value, opac_error *error)
{
    opac_evaluation *evaluation;
    const opac_evaluation_options how = {.max_states = options->max_states,
                                         .cancel = options->cancel,
                                         .progress = options->progress};
    TRY(opac_evaluate(policy, objective, &how, &evaluation, error));
    *value = average_policy(evaluation, opac_model_initial_count(truth->model));
    opac_evaluation_free(evaluation);
    return OPAC_OK;
}

/* ---- the trace ---- */

/* Evaluating many policies of a large model would take longer than learning. The limit is a number of
 * operations, not a time, so that traces are reproducible. */
static bool is_affordable(const opac_learn_truth *truth)
{
    double size = (double)opac_model_states(truth->model) * truth->memory;
    return size * (double)truth->traced <= MOST_TRACED;
}

/* Uses the policy's own automaton if that is deterministic, which avoids a translation each time. The
 * evaluation is short and cannot be cancelled, so that the checkpoint contains the value. */
static opac_status evaluate_traced(const opac_learn_truth *truth, const opac_policy *policy,
                                   uint64_t max_states, double *value, opac_error *error)
{
    const opac_automaton *automaton = opac_policy_automaton(policy);
    const opac_objective own = {.automaton = automaton};
    bool is_own = automaton != NULL && opac_automaton_is_deterministic(automaton);
    return evaluate(truth, policy, is_own ? &own : to_evaluate(truth->objective),
                    &(opac_check_options){.max_states = max_states}, value, error);
}

opac_status opac_learn_truth_trace(opac_learn_truth *truth, const opac_learning *learning,
                                   uint64_t max_states, opac_trace_entry *entry, opac_error *error)
{
    opac_policy *policy = NULL;
    double value = NAN;
    truth->traced++;
    if (learning == NULL || truth->model == NULL || !is_affordable(truth))
        return OPAC_OK;
    opac_status status = opac_learning_policy(learning, truth->model, &policy, error);
    if (status == OPAC_OK) {
        truth->memory =
            opac_policy_memory(policy); /* equal for all policies: the states of the automaton */
        if (is_affordable(truth))
            status = evaluate_traced(truth, policy, max_states, &value, error);
        if (status == OPAC_OK)
            entry->truth = value;
    }
    opac_policy_free(policy);
    return status == OPAC_ERROR_MEMORY ? status : OPAC_OK;
}

/* ---- the end ---- */

/* A failure is only noted, since the comparison is not what the user asked for. */
static opac_status leave_note(opac_learn_truth *truth, opac_status status, const opac_error *reason,
                              opac_error *error)
{
    if (status == OPAC_OK)
        return OPAC_OK;
    if (status == OPAC_ERROR_CANCELLED || status == OPAC_ERROR_MEMORY) {
        if (error != NULL)
            *error = *reason;
        return status;
    }
    truth->note = *reason;
    return OPAC_OK;
}

opac_status opac_learn_truth_find_optimum(opac_learn_truth *truth,
                                          const opac_check_options *options, opac_error *error)
{
    opac_solution *solution = NULL;
    opac_error reason = {.code = OPAC_OK};
    truth->optimum = NAN;
    if (truth->model == NULL)
        return OPAC_OK;
    opac_status status = opac_check(truth->model, truth->objective, options, &solution, &reason);
    if (status == OPAC_OK)
        truth->optimum = average_optimum(solution, opac_model_initial_count(truth->model));
    opac_solution_free(solution);
    return leave_note(truth, status, &reason, error);
}

opac_status opac_learn_truth_find_policy(opac_learn_truth *truth, const opac_policy *policy,
                                         const opac_check_options *options, opac_error *error)
{
    opac_error reason = {.code = OPAC_OK};
    truth->policy = NAN;
    if (truth->model == NULL)
        return OPAC_OK;
    opac_status status =
        evaluate(truth, policy, to_evaluate(truth->objective), options, &truth->policy, &reason);
    return leave_note(truth, status, &reason, error);
}

void opac_learn_truth_skip(opac_learn_truth *truth, bool is_late)
{
    truth->note = (opac_error){.code = OPAC_ERROR_CANCELLED};
    snprintf(truth->note.message, sizeof truth->note.message, "%s",
             is_late ? "the time limit was reached" : "stopped");
}

opac_status opac_learn_truth_find(opac_learn_truth *truth, const opac_policy *policy,
                                  const opac_check_options *options, opac_error *error)
{
    opac_status status = opac_cancel_requested(options->cancel) ? OPAC_ERROR_CANCELLED : OPAC_OK;
    if (status == OPAC_OK)
        status = opac_learn_truth_find_optimum(truth, options, error);
    if (status == OPAC_OK)
        status = opac_learn_truth_find_policy(truth, policy, options, error);
    if (status != OPAC_ERROR_CANCELLED)
        return status;
    opac_learn_truth_skip(truth, opac_cancel_get_reason(options->cancel) == OPAC_CANCEL_TIME);
    return OPAC_OK;
}
