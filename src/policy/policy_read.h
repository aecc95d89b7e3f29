/* SPDX-License-Identifier: MIT */
/* The parts of the reader of policy files. */
#ifndef POLICY_READ_H
#define POLICY_READ_H

#include "base/json_read.h"
#include "policy/array_splitter.h"
#include "policy/policy.h"
#include "policy/policy_states.h"

/* Reads the decisions from the items of an array; the memory was read before. */
opac_status policy_read_decisions(policy_splitter *splitter, policy_states *states,
                                  opac_policy *policy, opac_error *error);

/* Adds the name and the index of the current item, and its line and column, to an error. */
opac_status policy_read_fail_item(const policy_splitter *splitter, const char *name, size_t index,
                                  opac_status status, opac_error *error);

/* ---- policy_read_simulator.c ---- */

/*
 * Reads the states of a simulator with their letters from the items of an array, and its initial states from
 * the entries of memory.start; the automaton was read before. `states` finds states of the policy.
 */
opac_status policy_read_simulator_states(policy_splitter *splitter, base_json_value root,
                                         policy_states *states, opac_policy *policy,
                                         opac_error *error);

/* ---- policy_read_memory.c ---- */

/* Reads the number of memory values and the initial memory of each initial state; the automaton, if any, was
 * read before. */
opac_status policy_read_memory(base_json_value root, policy_states *states, opac_policy *policy,
                               opac_error *error);

#endif
