/* SPDX-License-Identifier: MIT */
/*
 * The objective of an evaluation: an automaton, and the letters of the states of the model over its
 * propositions.
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
    opac_automaton *made;    /* the automaton, if it was translated here; owned */
    const uint64_t *letters; /* by state of the model */
    uint64_t *made_letters;  /* the letters, if they were computed here; owned */
    bool complement;         /* the result is the probability that the automaton rejects */
    bool follows_policy;     /* nondeterministic automaton: the memory of the policy is its run */
} evaluate_question;

/* objective NULL: the objective that the policy was made for. */
opac_status evaluate_question_init(evaluate_question *question, const opac_policy *policy,
                                   const opac_objective *objective, const opac_cancel *cancel,
                                   opac_error *error);
void evaluate_question_fini(evaluate_question *question);

#endif
