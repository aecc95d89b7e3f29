/* SPDX-License-Identifier: MIT */
/*
 * The states that a policy decides for, as far as a policy needs to know them: how many there are,
 * the actions of each, and the initial ones.
 *
 *     of a model       which is borrowed; the actions of a state are its choices, in their order
 *     of a simulator   the states that were seen, owned: each with a key and its actions
 *
 *     policy_domain_init(&domain, NULL);
 *     status = policy_domain_add(&domain, key, length, &state, &is_new, error);     state 0
 *     status = policy_domain_add_action(&domain, "north", error);                   its action 0
 *     …
 *     status = policy_domain_set_initial(&domain, &states, error);
 *
 * Transitions are not part of it. Code that needs them uses `model`, and refuses a policy that has
 * none: policy_require_model.
 */
#ifndef POLICY_DOMAIN_H
#define POLICY_DOMAIN_H

#include "base/bitset.h"
#include "base/intern.h"
#include "model/model.h"

typedef struct policy_domain {
    const opac_model *model; /* borrowed; NULL: of a simulator, which has what follows */
    base_intern keys;        /* by state */
    base_u32_vec action_end; /* by state: the end of its actions in `actions` */
    base_u32_vec actions;    /* the number of each action's name */
    base_intern names;       /* with their NUL */
    base_u32_vec initial;    /* ascending, each once */
} policy_domain;

/* Allocates nothing. model NULL: of a simulator, without states. */
void policy_domain_init(policy_domain *domain, const opac_model *model);
void policy_domain_fini(policy_domain *domain);

/* ---- the states of a simulator ---- */

/* The next state; *is_new false: there is one with this key, which is *state. */
opac_status policy_domain_add(policy_domain *domain, const void *key, size_t length,
                              uint32_t *state, bool *is_new, opac_error *error);
/* The next action of the state that was added last; "": without a name. */
opac_status policy_domain_add_action(policy_domain *domain, const char *name, opac_error *error);
/* The states that runs may begin in: a set of all states, none of which is added later. */
opac_status policy_domain_set_initial(policy_domain *domain, const base_bitset *states,
                                      opac_error *error);

/* Whether there is a state with the key; of a model, there is none. */
bool policy_domain_find(const policy_domain *domain, const void *key, size_t length,
                        uint32_t *state);

/* ---- all domains ---- */

uint32_t policy_domain_states(const policy_domain *domain);
/* The actions of a state. A state of a model has at least one; a state of a simulator may have
 * none: a run stays there. */
uint32_t policy_domain_actions(const policy_domain *domain, uint32_t state);
/* "": it has no name, or there is no such action. Borrowed. */
const char *policy_domain_action(const policy_domain *domain, uint32_t state, uint32_t action);
/* All names of actions, with their NUL. */
const base_intern *policy_domain_names(const policy_domain *domain);
/* Ascending. */
const base_u32_vec *policy_domain_initial(const policy_domain *domain);
/* The place of a state among the initial ones; the number of those: it is none. */
size_t policy_domain_find_initial(const policy_domain *domain, uint32_t state);

/* The number of decisions to choose from in a state: its actions, or to stay (0, without a name). */
static inline uint32_t policy_domain_choices(const policy_domain *domain, uint32_t state)
{
    uint32_t actions = policy_domain_actions(domain, state);
    return actions > 0 ? actions : 1;
}

#endif
