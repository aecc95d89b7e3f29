/* SPDX-License-Identifier: MIT */
/*
 * The domain of a policy: the states that it decides for, their actions, and the initial states.
 *
 *     of a model       the model, borrowed; the actions of a state are its choices, in order
 *     of a simulator   the observed states, owned: each with a key and actions
 *
 *     policy_domain_init(&domain, NULL);
 *     status = policy_domain_add(&domain, key, length, &state, &is_new, error);     state 0
 *     status = policy_domain_add_action(&domain, "north", error);                   its action 0
 *     …
 *     status = policy_domain_set_initial(&domain, &states, error);
 *
 * The domain does not include transitions. Code that needs them uses `model`, and rejects the policy of a
 * simulator by policy_require_model.
 */
#ifndef POLICY_DOMAIN_H
#define POLICY_DOMAIN_H

#include "base/bitset.h"
#include "base/intern.h"
#include "model/model.h"

typedef struct policy_domain {
    const opac_model *model; /* borrowed; NULL for a simulator */
    /* For a simulator: */
    base_intern keys;        /* by state */
    base_u32_vec action_end; /* by state: the end of its actions in `actions` */
    base_u32_vec actions;    /* names by their number in `names` */
    base_intern names;       /* including their NUL */
    base_u32_vec initial;    /* states, ascending and distinct */
} policy_domain;

/* Allocates nothing. model NULL: the domain of a simulator, without states yet. */
void policy_domain_init(policy_domain *domain, const opac_model *model);
void policy_domain_fini(policy_domain *domain);

/* ---- the states of a simulator ---- */

/* Adds a state. *is_new is false if there is a state with this key already, which becomes *state. */
opac_status policy_domain_add(policy_domain *domain, const void *key, size_t length,
                              uint32_t *state, bool *is_new, opac_error *error);
/* Adds an action to the state that was added last; its name may be "". */
opac_status policy_domain_add_action(policy_domain *domain, const char *name, opac_error *error);
/* Sets the initial states, as a set over all states; no state may be added later. */
opac_status policy_domain_set_initial(policy_domain *domain, const base_bitset *states,
                                      opac_error *error);

/* Finds the state with a key; always false for a model. */
bool policy_domain_find(const policy_domain *domain, const void *key, size_t length,
                        uint32_t *state);

/* ---- all domains ---- */

uint32_t policy_domain_states(const policy_domain *domain);
/* The number of actions of a state. A state of a model has at least one; a state of a simulator may have
 * none: a run stays there. */
uint32_t policy_domain_actions(const policy_domain *domain, uint32_t state);
/* The name of an action, borrowed; "" if it has none, or if there is no such action. */
const char *policy_domain_action(const policy_domain *domain, uint32_t state, uint32_t action);
/* All names of actions, including their NUL. */
const base_intern *policy_domain_names(const policy_domain *domain);
/* The initial states, ascending. */
const base_u32_vec *policy_domain_initial(const policy_domain *domain);
/* The index of a state among the initial states, or their number if it is not initial. */
size_t policy_domain_find_initial(const policy_domain *domain, uint32_t state);

/* The number of possible decisions in a state: its actions or, if it has none, to stay (unnamed action 0). */
static inline uint32_t policy_domain_choices(const policy_domain *domain, uint32_t state)
{
    uint32_t actions = policy_domain_actions(domain, state);
    return actions > 0 ? actions : 1;
}

#endif
