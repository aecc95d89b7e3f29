/* SPDX-License-Identifier: MIT */
/*
 * The states that a simulator's policy knows, on their way into it: keys, letters, actions.
 *
 *     policy_known known;
 *     status = policy_known_init(&known, error);
 *     status = policy_known_add(&known, key, length, letter, &is_new, error);     state 0
 *     status = policy_known_action(&known, "north", error);                        its action 0
 *     …
 *     status = policy_known_initial(&known, 0, error);
 *     status = policy_known_finish(&known, error);
 *     … policy_new(known.model, …), decisions …
 *     policy_known_give(&known, policy);
 *     policy_known_fini(&known);                                                   in any case
 *
 * They become a model in which each action leads back to where it was taken, so that all that
 * is done with policies can be done with these. Nobody is shown its transitions, which are not those
 * of the simulator: policy_known_refuse. A state without actions has the label "deadlock" there.
 */
#ifndef POLICY_KNOWN_H
#define POLICY_KNOWN_H

#include <omegapac/builder.h>

#include "policy/policy.h"

enum {
    POLICY_MOST_COUNTED = 1024 /* actions without names that a file gives as a number; more are a
                                  list, so that a short text cannot ask for much memory */
};

typedef struct policy_known {
    opac_builder *builder;
    base_intern keys;
    base_u64_vec letters; /* by state */
    opac_model *model;    /* when finished */
} policy_known;

opac_status policy_known_init(policy_known *known, opac_error *error);
void policy_known_fini(policy_known *known);

/* The next state; *is_new false: there is one with this key, which is *state. */
opac_status policy_known_add(policy_known *known, const void *key, size_t length, uint64_t letter,
                             uint32_t *state, bool *is_new, opac_error *error);
/* The next action of the state that was added last; "": without a name. */
opac_status policy_known_action(policy_known *known, const char *name, opac_error *error);
/* Runs may begin there; at least one state. */
opac_status policy_known_initial(policy_known *known, uint32_t state, opac_error *error);
/* known->model is there afterwards. */
opac_status policy_known_finish(policy_known *known, opac_error *error);
/* A policy of known->model owns all of it from now on. */
void policy_known_give(policy_known *known, opac_policy *policy);

/* OPAC_ERROR_UNSUPPORTED of a simulator's policy, for who needs transitions. */
opac_status policy_known_refuse(const opac_policy *policy, const char *what, opac_error *error);

/* Whether a state of it has no actions. */
bool policy_known_is_idle(const opac_policy *policy, uint32_t state);

#endif
