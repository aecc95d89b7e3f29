/* SPDX-License-Identifier: MIT */
/*
 * What a known model says of the policies of a run, as the command line does it: which policies are
 * evaluated follows from sizes, so that a trace can be repeated.
 */
#include "learn.h"

#include <math.h>

enum {
    MOST_TRACED = 2000000 /* states of the model · memory of the policy · policies evaluated */
};

double learn_average(const opac_evaluation *evaluation, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += opac_evaluation_interval(evaluation, i).value;
    return sum / count;
}

/* By its own automaton, if that is deterministic: then no formula is translated each time. */
static double evaluate(const learn_truth *truth, const opac_policy *policy)
{
    const opac_automaton *automaton = opac_policy_automaton(policy);
    opac_objective own = {.automaton = automaton};
    const opac_objective *objective = truth->objective;
    opac_evaluation *evaluation = NULL;
    opac_evaluation_options options = {.max_states = 0};
    if (automaton != NULL && opac_automaton_is_deterministic(automaton))
        objective = &own;
    else if (objective->automaton != NULL && !opac_automaton_is_deterministic(objective->automaton))
        objective = NULL;
    if (opac_evaluate(policy, objective, &options, &evaluation, NULL) != OPAC_OK)
        return NAN;
    double value = learn_average(evaluation, opac_model_initial_count(truth->model));
    opac_evaluation_free(evaluation);
    return value;
}

static bool is_affordable(const learn_truth *truth)
{
    double size = (double)opac_model_states(truth->model) * truth->memory;
    return size * (double)truth->traced <= MOST_TRACED;
}

void learn_truth_trace(learn_truth *truth, const opac_learning *learning, opac_trace_entry *entry)
{
    opac_policy *policy = NULL;
    truth->traced++;
    if (learning == NULL || !is_affordable(truth) ||
        opac_learning_policy(learning, truth->model, &policy, NULL) != OPAC_OK)
        return;
    truth->memory = opac_policy_memory(policy); /* the same for all: the automaton's states */
    if (is_affordable(truth))
        entry->truth = evaluate(truth, policy);
    opac_policy_free(policy);
}
