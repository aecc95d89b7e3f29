/* SPDX-License-Identifier: MIT */
/* The parts of reading a policy file. */
#ifndef POLICY_READ_H
#define POLICY_READ_H

#include "base/json_read.h"
#include "policy/array_splitter.h"
#include "policy/policy.h"
#include "policy/policy_states.h"

/* The decisions, in the items of an array; the policy has its memory. */
opac_status policy_read_decisions(policy_splitter *split, policy_states *states,
                                  opac_policy *policy, opac_error *error);

/* An error about item number `index` of the array that is read, in its place. */
opac_status policy_read_fail_item(const policy_splitter *split, const char *name, size_t index,
                                  opac_status status, opac_error *error);

/* ---- policy_read_simulator_states.c ---- */

/*
 * The states of a simulator, in the items of an array, and those that memory.start speaks of as initial
 * ones; the policy has its automaton, and gets its letters. states: of the policy.
 */
opac_status policy_read_simulator_states(policy_splitter *split, base_json_value root,
                                         policy_states *states, opac_policy *policy,
                                         opac_error *error);

/* ---- policy_read_memory.c ---- */

/* How many values the memory has, and the starts; the policy has its automaton, if any. */
opac_status policy_read_memory(base_json_value root, policy_states *states, opac_policy *policy,
                               opac_error *error);

#endif
