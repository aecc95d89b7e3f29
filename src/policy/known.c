/* SPDX-License-Identifier: MIT */
/* Policies of simulators: making their states, and running them by key. */
#include "policy/known.h"

#include <string.h>

/* ---- making ---- */

opac_status policy_known_init(policy_known *known, opac_error *error)
{
    *known = (policy_known){0};
    base_intern_init(&known->keys);
    known->keys.limit = GRAPH_LARGEST;
    return opac_builder_new(OPAC_MODEL_MDP, &known->builder, error);
}

void policy_known_fini(policy_known *known)
{
    opac_builder_free(known->builder);
    base_intern_fini(&known->keys);
    base_u64_vec_fini(&known->letters);
    opac_model_free(known->model);
}

opac_status policy_known_add(policy_known *known, const void *key, size_t length, uint64_t letter,
                             uint32_t *state, bool *is_new, opac_error *error)
{
    TRY(base_intern_add(&known->keys, length > 0 ? key : "", length, state, is_new, error));
    if (!*is_new)
        return OPAC_OK;
    TRY(base_u64_vec_push(&known->letters, letter, error));
    return opac_builder_state(known->builder, error);
}

opac_status policy_known_action(policy_known *known, const char *name, opac_error *error)
{
    TRY(opac_builder_choice(known->builder, name, error));
    return opac_builder_branch(known->builder, known->keys.count - 1, 1, error);
}

opac_status policy_known_initial(policy_known *known, uint32_t state, opac_error *error)
{
    return opac_builder_initial(known->builder, state, error);
}

opac_status policy_known_finish(policy_known *known, opac_error *error)
{
    return opac_builder_finish(known->builder, NULL, &known->model, error);
}

void policy_known_give(policy_known *known, opac_policy *policy)
{
    policy->own = known->model;
    policy->keys = known->keys;
    known->model = NULL;
    base_intern_init(&known->keys);
}

/* ---- what cannot be done ---- */

opac_status policy_known_refuse(const opac_policy *policy, const char *what, opac_error *error)
{
    if (policy->own == NULL)
        return OPAC_OK;
    return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                     "%s: it is a simulator's policy, whose transitions are not known", what);
}

bool policy_known_is_idle(const opac_policy *policy, uint32_t state)
{
    return opac_model_has_label(policy->model, state, MODEL_LABEL_DEADLOCK);
}

/* ---- running it by key ---- */

static bool find(const opac_policy *policy, const void *key, size_t length, uint32_t *state)
{
    return policy->own != NULL &&
           base_intern_find(&policy->keys, length > 0 ? key : "", length, state);
}

/* A run that begins in a state which is none of the known starts begins as in the first of them. */
uint32_t opac_policy_start_at(const opac_policy *policy, const void *key, size_t length)
{
    uint32_t state;
    size_t index = 0;
    if (find(policy, key, length, &state))
        index = policy_initial(policy->model, state);
    return policy->start[index < policy->model->initial.count ? index : 0];
}

uint32_t opac_policy_act_at(const opac_policy *policy, const void *key, size_t length,
                            uint32_t *memory)
{
    uint32_t state;
    if (!find(policy, key, length, &state))
        return 0;
    return opac_policy_act(policy, state, memory) - policy->model->process.choice_begin[state];
}

/* ---- looking at it ---- */

bool opac_policy_has_keys(const opac_policy *policy)
{
    return policy->own != NULL;
}

uint32_t opac_policy_states(const opac_policy *policy)
{
    return opac_model_states(policy->model);
}

const void *opac_policy_key(const opac_policy *policy, uint32_t state, size_t *length)
{
    *length = 0;
    if (policy->own == NULL || state >= policy->keys.count)
        return NULL;
    const unsigned char *key = base_intern_key(&policy->keys, state, length);
    return *length > 0 ? (const void *)key : "";
}

const char *opac_policy_action_name(const opac_policy *policy, uint32_t state, uint32_t action)
{
    const opac_model *model = policy->model;
    if (state >= opac_model_states(model) || action >= opac_model_choice_count(model, state))
        return "";
    return opac_model_choice_action(model, opac_model_choice_begin(model, state) + action);
}
