/* SPDX-License-Identifier: MIT */
/*
 * The chain that an evaluation judges: the model under a policy, beside the
 * automaton of the question. Its states are triples (state of the model, memory
 * of the policy, state of the automaton), those that can be reached from the
 * initial states, in breadth-first order.
 *
 *     process    one choice a state; none where the automaton has no move: such runs
 *                are rejected
 *     marks      by state: of the automaton's move, which reads the letter of the state
 *     choice     by state: the model's choice whose branches the edges are, in their order
 */
#ifndef EVALUATE_CHAIN_H
#define EVALUATE_CHAIN_H

#include <omegapac/evaluation.h>

#include "evaluate/evaluate_question.h"
#include "graph/process.h"

typedef struct evaluate_chain {
    graph_process process; /* owned, as all arrays */
    base_u64_vec marks;
    base_u32_vec choice;
    base_u32_vec start; /* by initial state of the model */
} evaluate_chain;

/* More than max_states are OPAC_ERROR_LIMIT; 0: 50 million. evaluate_chain_fini is due in any case. */
opac_status evaluate_chain_init(evaluate_chain *chain, const opac_policy *policy,
                                const evaluate_question *question,
                                const opac_evaluation_options *options, opac_error *error);
void evaluate_chain_fini(evaluate_chain *chain);

#endif
