/* SPDX-License-Identifier: MIT */
/*
 * Policies: finite-memory machines that control a model.
 *
 *     opac_policy *policy;
 *     opac_policy_read("policy.json", model, &policy, &error);
 *     uint32_t memory = opac_policy_start(policy, state);
 *     for (int i = 0; i < 20; i++) {
 *         uint32_t choice = opac_policy_act(policy, state, &memory);
 *         uint32_t branch = opac_model_branch_begin(model, choice);    // or another of them
 *         state = opac_model_branch_target(model, branch);
 *     }
 *     opac_policy_free(policy);
 *
 * A policy remembers one number. It belongs to a model, which is borrowed for
 * as long as the policy lives, or to a simulator, whose states it knows by their keys:
 *
 *     opac_policy_read("policy.json", NULL, &policy, &error);
 *     uint32_t memory = opac_policy_start_at(policy, key, length);
 *     uint32_t action = opac_policy_act_at(policy, key, length, &memory);
 *
 * It is total: where it has nothing to say, it takes the first choice, and its memory follows its
 * automaton (of a simulator: in states whose letter it knows; elsewhere it stays).
 *
 * A policy is immutable: any number of threads may read one.
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
 * The file that a person can read and another program can run: see
 * docs/formats/policy.md. States are found again by the values of their
 * variables (by number, if the model has none), choices by their action's name.
 *
 * model NULL: the policy is that of a simulator, and knows states by their keys; a file of a policy
 * of a model is then OPAC_ERROR_ARGUMENT, and so is one of a simulator with a model.
 */
OPAC_API opac_status opac_policy_read(const char *path, const opac_model *model,
                                      opac_policy **policy, opac_error *error);
OPAC_API opac_status opac_policy_parse(const char *text, size_t length, const opac_model *model,
                                       opac_policy **policy, opac_error *error);
OPAC_API void opac_policy_free(opac_policy *policy);
/* As one JSON value: a file of its own, or a member of a result. */
OPAC_API void opac_policy_write_json(const opac_policy *policy, opac_json *json);
enum {
    OPAC_MAX_CHAIN_STATES =
        60, /* pairs of state and memory that can still be followed with the eye */
    OPAC_MAX_LISTED_STATES = 400 /* states that still make a picture of cells */
};
/*
 * The member `chain` of a result, key and value: the Markov chain that the policy makes of its
 * model, as pairs of state and memory and what leads from one to another (docs/formats/result.md).
 * Nothing, if more than `most` pairs are reached, or if the policy is a simulator's.
 */
OPAC_API void opac_policy_write_chain_json(const opac_policy *policy, uint32_t most,
                                           opac_json *json);
/* Likewise the member `states`: all states of the model, with their values and labels. Nothing, if
 * there are more than `most`, or if the policy is a simulator's. */
OPAC_API void opac_policy_write_states_json(const opac_policy *policy, uint32_t most,
                                            opac_json *json);
/* The policy, with a line for each decision. */
OPAC_API void opac_policy_write(const opac_policy *policy, opac_output *out);
/* For Graphviz; more than max_states pairs of memory and state are OPAC_ERROR_LIMIT. Of a simulator's
 * policy, what is decided, without arrows. */
OPAC_API opac_status opac_policy_write_dot(const opac_policy *policy, uint32_t max_states,
                                           opac_output *out, opac_error *error);
/* Whether the bytes begin as a policy file does, to know what may be overwritten. */
OPAC_API bool opac_policy_is_file(const char *text, size_t length);

/* ---- running it ---- */

/* What it remembers when a run begins in a state. */
OPAC_API uint32_t opac_policy_start(const opac_policy *policy, uint32_t state);
/* The choice in a state, numbered as in the model (of a simulator: the action, as in the state); the
 * memory becomes what it is afterwards. */
OPAC_API uint32_t opac_policy_act(const opac_policy *policy, uint32_t state, uint32_t *memory);

/*
 * The same of a simulator's policy, by the key of a state; the action is numbered as in the state.
 * A state that the policy does not know, and any state if it is a model's: action 0, and the memory
 * stays. A run that begins in a state which is none of the starts begins as in the first of them.
 */
OPAC_API uint32_t opac_policy_start_at(const opac_policy *policy, const void *key, size_t length);
OPAC_API uint32_t opac_policy_act_at(const opac_policy *policy, const void *key, size_t length,
                                     uint32_t *memory);

/* ---- looking at it ---- */

/* Whether states are known by their keys: it is of a simulator. */
OPAC_API bool opac_policy_has_keys(const opac_policy *policy);
/* How many states it knows, and the key of one of them, and the name of one of its actions ("": it
 * has none). Of a model, key is NULL and names are those of choices. Borrowed. */
OPAC_API uint32_t opac_policy_states(const opac_policy *policy);
OPAC_API const void *opac_policy_key(const opac_policy *policy, uint32_t state, size_t *length);
OPAC_API const char *opac_policy_action_name(const opac_policy *policy, uint32_t state,
                                             uint32_t action);

OPAC_API uint32_t opac_policy_memory(const opac_policy *policy);    /* how many values it has */
OPAC_API uint64_t opac_policy_decisions(const opac_policy *policy); /* pairs with a decision */
/* The automaton that it was made with; NULL: none. Borrowed. */
OPAC_API const opac_automaton *opac_policy_automaton(const opac_policy *policy);
/* What it was made for, in words; "" when unknown. Borrowed. */
OPAC_API const char *opac_policy_objective(const opac_policy *policy);

/*
 * The Markov chain of a model under the policy, its reachable part. Its states
 * have the variables and labels of the model, and the variable _memory. Of a simulator's policy it
 * is OPAC_ERROR_UNSUPPORTED: transitions are not known; nor can it be evaluated.
 */
OPAC_API opac_status opac_policy_induce(const opac_policy *policy, const opac_cancel *cancel,
                                        opac_model **chain, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
