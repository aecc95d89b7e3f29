/* SPDX-License-Identifier: MIT */
/*
 * Checks of the invariants that src/graph/process.h, model/model.h, aut/automaton.h and
 * policy/policy.h state. The message says which one is violated.
 */
#ifndef SUPPORT_INVARIANTS_H
#define SUPPORT_INVARIANTS_H

#include "aut/automaton.h"
#include "graph/process.h"
#include "model/model.h"
#include "policy/policy.h"

/*
 * Offsets start at 0, never fall and end at the count; every choice has an edge; targets exist;
 * probabilities lie in (0, 1] and sum to 1 within tolerance. The message names the state, and the
 * choice by its position in the state, both from 0. A violation is OPAC_ERROR_ARGUMENT.
 */
opac_status graph_process_check(const graph_process *process, double tolerance, opac_error *error);

/* A violation is OPAC_ERROR_ARGUMENT. */
opac_status model_check(const opac_model *model, opac_error *error);

/* A violation is OPAC_ERROR_INTERNAL. */
opac_status aut_check(const opac_automaton *automaton, opac_error *error);
opac_status policy_check(const opac_policy *policy, opac_error *error);

#endif
