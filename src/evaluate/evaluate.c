/* SPDX-License-Identifier: MIT */
/*
 * Computes the probability of an objective under a policy:
 *
 *     question ──► chain ─────────► component classes ──► outcomes, or fractions
 *     automaton    the induced      bottom components     linear equations
 *                  Markov chain
 *
 * It shares with opac_check only the translation of formulas, the letters of states and the components of
 * graphs, so that it is an independent check.
 */
#include <omegapac/evaluation.h>

#include "base/alloc.h"
#include "base/work.h"
#include "evaluate/fractions.h"
#include "evaluate/outcome.h"
#include "policy/policy.h"

#define PRECISION 1e-6 /* relative */

struct opac_evaluation {
    opac_interval *intervals; /* by initial state of the model */
    char **fractions;         /* by initial state; NULL unless exact */
    uint32_t initial_count, states, bottoms;
    bool is_bound, is_upper;
};

void opac_evaluation_free(opac_evaluation *evaluation)
{
    if (evaluation == NULL)
        return;
    for (uint32_t i = 0; evaluation->fractions != NULL && i < evaluation->initial_count; i++)
        base_free(evaluation->fractions[i]);
    base_free(evaluation->fractions);
    base_free(evaluation->intervals);
    base_free(evaluation);
}

/* ---- in doubles ---- */

static opac_status solve_doubles(const evaluate_chain *chain, const evaluate_classes *classes,
                                 bool complement, const opac_evaluation_options *options,
                                 opac_evaluation *evaluation, opac_error *error)
{
    evaluate_outcome *outcome;
    TRY(evaluate_outcome_solve(chain, classes, options, &outcome, error));
    for (uint32_t i = 0; i < evaluation->initial_count; i++) {
        evaluate_outcome o = outcome[chain->start.items[i]];
        if (complement)
            o = (evaluate_outcome){
                .yes = o.no, .unknown = o.unknown, .no = o.yes, .estimate = 1 - o.estimate};
        evaluation->intervals[i] = evaluate_outcome_interval(o);
    }
    base_free(outcome);
    return OPAC_OK;
}

/* ---- in fractions ---- */

static opac_status keep_fraction(opac_evaluation *evaluation, uint32_t i, base_rational *value,
                                 bool complement, opac_error *error)
{
    opac_interval *interval = &evaluation->intervals[i];
    if (complement)
        TRY(base_rational_complement(value, error));
    TRY(base_rational_to_double(value, &interval->value, &interval->lower, &interval->upper,
                                error));
    return base_rational_format(value, &evaluation->fractions[i], error);
}

static opac_status solve_fractions(const opac_policy *policy, const evaluate_chain *chain,
                                   const evaluate_classes *classes, bool complement,
                                   const opac_evaluation_options *options,
                                   opac_evaluation *evaluation, opac_error *error)
{
    uint32_t count = evaluation->initial_count;
    base_rational **values = base_alloc_zeroed(count, sizeof(base_rational *));
    evaluation->fractions = base_alloc_zeroed(count, sizeof(char *));
    opac_status status = OPAC_OK;
    if (values == NULL || evaluation->fractions == NULL)
        TRY_OR(done, base_fail_memory(error));
    TRY_OR(done,
           evaluate_fractions_solve(chain, classes, policy->domain.model, options, values, error));
    for (uint32_t i = 0; i < count; i++)
        TRY_OR(done, keep_fraction(evaluation, i, values[i], complement, error));
done:
    for (uint32_t i = 0; values != NULL && i < count; i++)
        base_rational_free(values[i]);
    base_free(values);
    return status;
}

/* ---- the evaluation ---- */

static opac_status solve_chain(const opac_policy *policy, const evaluate_question *question,
                               const evaluate_chain *chain, const opac_evaluation_options *options,
                               opac_evaluation *evaluation, opac_error *error)
{
    evaluate_classes classes;
    opac_status status;
    TRY_OR(done, evaluate_classes_init(&classes, chain, &question->automaton->condition,
                                       options->cancel, error));
    evaluation->states = chain->process.state_count;
    evaluation->bottoms = classes.bottoms;
    if (options->exact)
        TRY_OR(done, solve_fractions(policy, chain, &classes, question->complement, options,
                                     evaluation, error));
    else
        TRY_OR(done,
               solve_doubles(chain, &classes, question->complement, options, evaluation, error));
    for (uint32_t i = 0; i < evaluation->initial_count; i++)
        TRY_OR(done, base_check_bounds(evaluation->intervals[i].lower,
                                       evaluation->intervals[i].upper, error));
done:
    evaluate_classes_fini(&classes);
    return status;
}

static opac_status solve_question(const opac_policy *policy, const evaluate_question *question,
                                  const opac_evaluation_options *options,
                                  opac_evaluation *evaluation, opac_error *error)
{
    evaluate_chain chain;
    opac_status status = evaluate_chain_init(&chain, policy, question, options, error);
    if (status == OPAC_OK)
        status = solve_chain(policy, question, &chain, options, evaluation, error);
    evaluate_chain_fini(&chain);
    evaluation->is_bound = question->follows_policy;
    evaluation->is_upper = question->follows_policy && question->complement;
    return status;
}

opac_evaluation_options opac_evaluation_defaults(void)
{
    return (opac_evaluation_options){.max_states = MODEL_DEFAULT_MAX_STATES};
}

opac_status opac_evaluate(const opac_policy *policy, const opac_objective *objective,
                          const opac_evaluation_options *options, opac_evaluation **evaluation,
                          opac_error *error)
{
    static const opac_evaluation_options usual = {0};
    evaluate_question question = {0};
    *evaluation = NULL;
    TRY(policy_require_model(policy, "its probability", error));
    opac_evaluation *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    if (options == NULL)
        options = &usual;
    made->initial_count = opac_model_initial_count(policy->domain.model);
    made->intervals = base_alloc_zeroed(made->initial_count, sizeof *made->intervals);
    opac_status status;
    if (made->intervals == NULL)
        TRY_OR(done, base_fail_memory(error));
    TRY_OR(done, evaluate_question_init(&question, policy, objective, options->cancel, error));
    status = base_describe_stopped(solve_question(policy, &question, options, made, error),
                                   options->cancel, "evaluating the policy", error);
done:
    evaluate_question_fini(&question);
    if (status == OPAC_OK)
        *evaluation = made;
    else
        opac_evaluation_free(made);
    return status;
}

opac_interval opac_evaluation_interval(const opac_evaluation *evaluation, uint32_t index)
{
    return evaluation->intervals[index];
}

const char *opac_evaluation_fraction(const opac_evaluation *evaluation, uint32_t index)
{
    return evaluation->fractions != NULL ? evaluation->fractions[index] : NULL;
}

bool opac_evaluation_is_bound(const opac_evaluation *evaluation)
{
    return evaluation->is_bound;
}

bool opac_evaluation_is_upper(const opac_evaluation *evaluation)
{
    return evaluation->is_upper;
}

bool opac_evaluation_is_precise(const opac_evaluation *evaluation)
{
    for (uint32_t i = 0; evaluation->fractions == NULL && i < evaluation->initial_count; i++) {
        opac_interval interval = evaluation->intervals[i];
        if (!(interval.upper - interval.lower <= PRECISION * interval.lower))
            return false;
    }
    return true;
}

uint32_t opac_evaluation_states(const opac_evaluation *evaluation)
{
    return evaluation->states;
}

uint32_t opac_evaluation_bottoms(const opac_evaluation *evaluation)
{
    return evaluation->bottoms;
}
