/* SPDX-License-Identifier: MIT */
/*
 * The Markov chain of an evaluation: the model under a policy, beside the automaton of the objective. Its
 * states are the triples (state of the model, memory of the policy, state of the automaton) that are
 * reachable from the initial states, in breadth-first order.
 *
 *     process    one choice per state; none if the automaton has no edge for the letter: such
 *                runs are rejected
 *     marks      by state: marks of the edge of the automaton, which reads the letter of the state
 *     choice     by state: the choice of the model, whose branches are the edges, in the same order
 */
#ifndef EVALUATE_CHAIN_H
#define EVALUATE_CHAIN_H

#include <omegapac/evaluation.h>

#include "evaluate/evaluate_question.h"
#include "graph/process.h"

typedef struct evaluate_chain {
    graph_process process; /* owned, like all arrays */
    base_u64_vec marks;
    base_u32_vec choice;
    base_u32_vec start; /* by initial state of the model */
} evaluate_chain;

/* Builds the chain. More than max_states states are OPAC_ERROR_LIMIT; 0: 50 million. evaluate_chain_fini
 * must be called even if it fails. */
opac_status evaluate_chain_init(evaluate_chain *chain, const opac_policy *policy,
                                const evaluate_question *question,
                                const opac_evaluation_options *options, opac_error *error);
void evaluate_chain_fini(evaluate_chain *chain);

#endif
