/* SPDX-License-Identifier: MIT */
/*
 * Makes the automaton of an objective, or of the objective of a policy.
 *
 * A formula is always translated to a deterministic automaton, even if the policy was made with another
 * automaton, so that an error in that one is detected. Without a formula, the probability of the language
 * requires a deterministic automaton. For another automaton of a policy, only the run that the memory
 * follows is evaluated; it accepts only words of the language, so the result is a lower bound.
 */
#include "evaluate/evaluate_question.h"

#include <string.h>

#include "base/alloc.h"
#include "product/letters.h"

void evaluate_question_fini(evaluate_question *question)
{
    opac_automaton_free(question->made);
    base_free(question->made_letters);
    *question = (evaluate_question){0};
}

static opac_status translate(evaluate_question *question, const opac_formula *formula,
                             const opac_cancel *cancel, opac_error *error)
{
    opac_automaton_options options = {.cancel = cancel}; /* deterministic, any condition */
    opac_status status = opac_automaton_translate(formula, &options, &question->made, error);
    question->automaton = question->made;
    return status;
}

/* ---- of an objective ---- */

static opac_status init_from_objective(evaluate_question *question, const opac_policy *policy,
                                       const opac_objective *objective, const opac_cancel *cancel,
                                       opac_error *error)
{
    if ((objective->formula == NULL) == (objective->automaton == NULL))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "an objective is either a formula or an automaton");
    if (objective->formula != NULL) {
        TRY(translate(question, objective->formula, cancel, error));
    } else if (!opac_automaton_is_deterministic(objective->automaton)) {
        return base_fail(
            error, OPAC_ERROR_UNSUPPORTED,
            "the automaton is not deterministic, so it does not determine the probability of "
            "its language; give a formula or a deterministic automaton");
    } else {
        question->automaton = objective->automaton;
    }
    TRY(product_letters(policy->domain.model, objective->properties, question->automaton,
                        &question->made_letters, error));
    question->letters = question->made_letters;
    return OPAC_OK;
}

/* ---- of the policy itself ---- */

/* The index of a proposition in the automaton of the policy; UINT32_MAX if it is not there. */
static uint32_t find_proposition(const opac_policy *policy, const char *name)
{
    const opac_automaton *automaton = policy->automaton;
    uint32_t count =
        automaton != NULL && policy->letters != NULL ? automaton->proposition_count : 0;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(automaton->propositions[i], name) == 0)
            return i;
    return UINT32_MAX;
}

static opac_status add_proposition(const opac_policy *policy, const char *name, uint32_t bit,
                                   uint64_t *bits, uint64_t *letters, opac_error *error)
{
    uint32_t states = policy->domain.model->process.state_count,
             own = find_proposition(policy, name);
    if (own != UINT32_MAX) {
        for (uint32_t s = 0; s < states; s++)
            letters[s] |= (policy->letters[s] >> own & 1) << bit;
        return OPAC_OK;
    }
    TRY(policy_definitions_evaluate(&policy->definitions, policy->domain.model, name, bits, error));
    for (uint32_t s = 0; s < states; s++)
        letters[s] |= (bits[s / 64] >> (s % 64) & 1) << bit;
    return OPAC_OK;
}

/*
 * Computes letters with the meaning of propositions when the policy was made: a proposition may be a
 * label of a property file that is not in the model.
 */
static opac_status own_letters(evaluate_question *question, const opac_policy *policy,
                               opac_error *error)
{
    const opac_automaton *automaton = question->automaton;
    uint32_t states = policy->domain.model->process.state_count;
    uint64_t *bits = base_alloc(states / 64 + 1, sizeof *bits);
    opac_status status = OPAC_OK;
    question->made_letters = base_alloc_zeroed(states, sizeof *question->made_letters);
    question->letters = question->made_letters;
    if (bits == NULL || question->made_letters == NULL)
        status = base_fail_memory(error);
    for (uint32_t i = 0; status == OPAC_OK && i < automaton->proposition_count; i++)
        status = add_proposition(policy, automaton->propositions[i], i, bits,
                                 question->made_letters, error);
    base_free(bits);
    return status;
}

static opac_status init_from_formula(evaluate_question *question, const opac_policy *policy,
                                     const opac_cancel *cancel, opac_error *error)
{
    opac_formula *formula = NULL;
    TRY(opac_formula_parse(policy->formula, NULL, &formula, error));
    opac_status status = translate(question, formula, cancel, error);
    opac_formula_free(formula);
    TRY(status);
    return own_letters(question, policy, error);
}

static opac_status init_from_automaton(evaluate_question *question, const opac_policy *policy,
                                       opac_error *error)
{
    question->automaton = policy->automaton;
    question->complement = policy->complement;
    question->follows_policy = !opac_automaton_is_deterministic(policy->automaton);
    if (policy->letters == NULL)
        return own_letters(question, policy, error);
    question->letters = policy->letters;
    return OPAC_OK;
}

opac_status evaluate_question_init(evaluate_question *question, const opac_policy *policy,
                                   const opac_objective *objective, const opac_cancel *cancel,
                                   opac_error *error)
{
    *question = (evaluate_question){0};
    if (objective != NULL)
        return init_from_objective(question, policy, objective, cancel, error);
    if (policy->formula != NULL)
        return init_from_formula(question, policy, cancel, error);
    if (policy->automaton != NULL)
        return init_from_automaton(question, policy, error);
    return base_fail(error, OPAC_ERROR_ARGUMENT, "the policy file names no objective; give one");
}
