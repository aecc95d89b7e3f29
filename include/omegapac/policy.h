/* SPDX-License-Identifier: MIT */
/*
 * Policies: finite-memory machines that control a model.
 *
 *     opac_policy *policy;
 *     opac_policy_read("policy.json", model, &policy, &error);
 *     uint32_t memory = opac_policy_start(policy, state);
 *     for (;;) {
 *         uint32_t choice = opac_policy_act(policy, state, &memory);
 *         state = …                        one of the branches of the choice
 *     }
 *     opac_policy_free(policy);
 *
 * A policy remembers one number. It belongs to a model, which is borrowed for
 * as long as the policy lives. It is total: where it has nothing to say, it
 * takes the first choice, and its memory follows its automaton.
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
 */
OPAC_API opac_status opac_policy_read(const char *path, const opac_model *model,
                                      opac_policy **policy, opac_error *error);
OPAC_API opac_status opac_policy_parse(const char *text, size_t length, const opac_model *model,
                                       opac_policy **policy, opac_error *error);
OPAC_API void opac_policy_free(opac_policy *policy);
/* As one JSON value: a file of its own, or a member of a result. */
OPAC_API void opac_policy_echo(const opac_policy *policy, opac_json *json);
/* The same, with a line for each decision. */
OPAC_API void opac_policy_write(const opac_policy *policy, opac_output *out);
/* For Graphviz; more than max_states pairs of memory and state are OPAC_ERROR_LIMIT. */
OPAC_API opac_status opac_policy_write_dot(const opac_policy *policy, uint32_t max_states,
                                           opac_output *out, opac_error *error);
/* Whether the bytes begin as a policy file does, to know what may be overwritten. */
OPAC_API bool opac_policy_is_file(const char *text, size_t length);

/* ---- running it ---- */

/* What it remembers when a run begins in a state. */
OPAC_API uint32_t opac_policy_start(const opac_policy *policy, uint32_t state);
/* The choice in a state, numbered as in the model; the memory becomes what it is afterwards. */
OPAC_API uint32_t opac_policy_act(const opac_policy *policy, uint32_t state, uint32_t *memory);

/* ---- looking at it ---- */

OPAC_API uint32_t opac_policy_memory(const opac_policy *policy);    /* how many values it has */
OPAC_API uint64_t opac_policy_decisions(const opac_policy *policy); /* pairs with a decision */
/* The automaton that it was made with; NULL: none. Borrowed. */
OPAC_API const opac_automaton *opac_policy_automaton(const opac_policy *policy);
/* What it was made for, in words; "" when unknown. Borrowed. */
OPAC_API const char *opac_policy_objective(const opac_policy *policy);

/*
 * The Markov chain of a model under the policy, its reachable part. Its states
 * have the variables and labels of the model, and the variable _memory.
 */
OPAC_API opac_status opac_policy_induce(const opac_policy *policy, const opac_cancel *cancel,
                                        opac_model **chain, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
