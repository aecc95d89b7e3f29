/* SPDX-License-Identifier: MIT */
/*
 * What an evaluation judges runs by: an automaton, and the letters of the
 * model's states over its propositions.
 *
 *     evaluate_question question;
 *     status = evaluate_question_init(&question, policy, objective, cancel, error);
 *     …
 *     evaluate_question_fini(&question);        in any case
 */
#ifndef EVALUATE_QUESTION_H
#define EVALUATE_QUESTION_H

#include "policy/policy.h"

typedef struct evaluate_question {
    const opac_automaton *automaton;
    opac_automaton *made;    /* the same, if it was translated here; owned */
    const uint64_t *letters; /* by state of the model */
    uint64_t *made_letters;  /* the same, if they were looked up here; owned */
    bool complement;         /* it is asked how likely the automaton does not accept */
    bool follows_policy;     /* nondeterministic: the policy's memory is the automaton's run */
} evaluate_question;

/* objective NULL: what the policy was made for. */
opac_status evaluate_question_init(evaluate_question *question, const opac_policy *policy,
                                   const opac_objective *objective, const opac_cancel *cancel,
                                   opac_error *error);
void evaluate_question_fini(evaluate_question *question);

#endif
