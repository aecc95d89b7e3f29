/* SPDX-License-Identifier: MIT */
/*
 * Policies: finite-memory controllers of a model or a simulator.
 *
 *     opac_policy *policy;
 *     opac_policy_read("policy.json", model, &policy, &error);
 *     uint32_t memory = opac_policy_start(policy, state);
 *     for (int i = 0; i < 20; i++) {
 *         uint32_t choice = opac_policy_act(policy, state, &memory);
 *         uint32_t branch = opac_model_branch_begin(model, choice);    // or another branch
 *         state = opac_model_branch_target(model, branch);
 *     }
 *     opac_policy_free(policy);
 *
 * The memory of a policy is one number. A policy of a model borrows the model. A policy of a simulator
 * identifies states by their keys:
 *
 *     opac_policy_read("policy.json", NULL, &policy, &error);
 *     uint32_t memory = opac_policy_start_at(policy, key, length);
 *     uint32_t action = opac_policy_act_at(policy, key, length, &memory);
 *
 * A policy is total: without a decision it takes the first choice, and the memory follows the automaton of
 * the policy, but stays the same if an edge leads back to it (for a simulator it follows only in states whose letter
 * the policy has; otherwise it does not change).
 *
 * A policy is immutable; several threads may use it at the same time. A decision takes constant time.
 */
#ifndef OMEGAPAC_POLICY_H
#define OMEGAPAC_POLICY_H

#include <omegapac/objective.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opac_policy opac_policy;

/* ---- files ---- */

/*
 * Reads a policy from a file or from text (docs/formats/policy.md). States are identified by the values of
 * their variables (by number, if the model has none), choices by the name of their action. The caller frees
 * *policy. Errors: OPAC_ERROR_SYNTAX with line and column, OPAC_ERROR_ARGUMENT if the policy does not fit
 * the model, OPAC_ERROR_IO.
 *
 * model NULL: reads a policy of a simulator. The file of a policy of a model is then OPAC_ERROR_ARGUMENT,
 * and so is one of a simulator if a model is given.
 */
OPAC_API opac_status opac_policy_read(const char *path, const opac_model *model,
                                      opac_policy **policy, opac_error *error);
OPAC_API opac_status opac_policy_parse(const char *text, size_t length, const opac_model *model,
                                       opac_policy **policy, opac_error *error);
OPAC_API void opac_policy_free(opac_policy *policy);
/* Writes a policy as a JSON value. */
OPAC_API void opac_policy_write_json(const opac_policy *policy, opac_json *json);
enum {
    OPAC_MAX_CHAIN_STATES = 60,  /* maximum pairs of state and memory drawn as a chain */
    OPAC_MAX_LISTED_STATES = 400 /* maximum states drawn as a grid */
};
/*
 * Writes the member `chain` of a result: the Markov chain that the policy induces, with its pairs of state
 * and memory and its transitions (docs/formats/result.md). Writes nothing if more than `most` pairs are
 * reachable, or for a policy of a simulator.
 */
OPAC_API void opac_policy_write_chain_json(const opac_policy *policy, uint32_t most,
                                           opac_json *json);
/* Writes the member `states` of a result: all states of the model, with their values and labels. Writes
 * nothing if there are more than `most`, or for a policy of a simulator. */
OPAC_API void opac_policy_write_states_json(const opac_policy *policy, uint32_t most,
                                            opac_json *json);
/* Writes the policy file, with one line for each decision. */
OPAC_API void opac_policy_write(const opac_policy *policy, opac_output *out);
/* Writes a Graphviz file. More than max_states pairs of state and memory are OPAC_ERROR_LIMIT. For a policy
 * of a simulator, it has the decisions without transitions. */
OPAC_API opac_status opac_policy_write_dot(const opac_policy *policy, uint32_t max_states,
                                           opac_output *out, opac_error *error);
/* Whether the bytes begin like a policy file. */
OPAC_API bool opac_policy_is_file(const char *text, size_t length);

/* ---- running it ---- */

/* The initial memory of a run that begins in a state. */
OPAC_API uint32_t opac_policy_start(const opac_policy *policy, uint32_t state);
/* The choice in a state, numbered as in the model (for a simulator: the action, numbered as in the state).
 * Updates the memory. */
OPAC_API uint32_t opac_policy_act(const opac_policy *policy, uint32_t state, uint32_t *memory);

/*
 * The same for a policy of a simulator, by the key of a state; actions are numbered as in the state. For an
 * unknown key, and for a policy of a model, it returns action 0 and does not change the memory. A run that
 * begins in a state that is not a start state has the initial memory of the first start state.
 */
OPAC_API uint32_t opac_policy_start_at(const opac_policy *policy, const void *key, size_t length);
OPAC_API uint32_t opac_policy_act_at(const opac_policy *policy, const void *key, size_t length,
                                     uint32_t *memory);

/* ---- inspecting it ---- */

/* Whether the policy is that of a simulator, with states identified by keys. */
OPAC_API bool opac_policy_has_keys(const opac_policy *policy);
/* The number of states of the policy; the key of a state (NULL for a model); and the name of an action of a
 * state, or of a choice for a model ("" if it has none). Owned by the policy. */
OPAC_API uint32_t opac_policy_states(const opac_policy *policy);
OPAC_API const void *opac_policy_key(const opac_policy *policy, uint32_t state, size_t *length);
OPAC_API const char *opac_policy_action_name(const opac_policy *policy, uint32_t state,
                                             uint32_t action);

OPAC_API uint32_t opac_policy_memory(const opac_policy *policy); /* number of memory values */
OPAC_API uint64_t
opac_policy_decisions(const opac_policy *policy); /* pairs of state and memory with a decision */
/* The automaton of the policy; NULL if it has none. Owned by the policy. */
OPAC_API const opac_automaton *opac_policy_automaton(const opac_policy *policy);
/* The objective that the policy was made for, as text; "" if unknown. Owned by the policy. */
OPAC_API const char *opac_policy_objective(const opac_policy *policy);

/*
 * Makes the reachable part of the Markov chain that the policy induces in its model; the caller frees
 * *chain. States have the variables and labels of the model, and the variable _memory. Fails with
 * OPAC_ERROR_UNSUPPORTED for a policy of a simulator, whose transitions are unknown. Linear in the chain.
 */
OPAC_API opac_status opac_policy_induce(const opac_policy *policy, const opac_cancel *cancel,
                                        opac_model **chain, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
