/* SPDX-License-Identifier: MIT */
/* Each function has two cases: the domain of a model and the domain of a simulator. */
#include "policy/domain.h"

#include <string.h>

void policy_domain_init(policy_domain *domain, const opac_model *model)
{
    *domain = (policy_domain){.model = model};
    base_intern_init(&domain->keys);
    base_intern_init(&domain->names);
    domain->keys.limit = GRAPH_LARGEST;
}

void policy_domain_fini(policy_domain *domain)
{
    base_intern_fini(&domain->keys);
    base_u32_vec_fini(&domain->action_end);
    base_u32_vec_fini(&domain->actions);
    base_intern_fini(&domain->names);
    base_u32_vec_fini(&domain->initial);
}

/* ---- the states of a simulator ---- */

opac_status policy_domain_add(policy_domain *domain, const void *key, size_t length,
                              uint32_t *state, bool *is_new, opac_error *error)
{
    TRY(base_intern_add(&domain->keys, length > 0 ? key : "", length, state, is_new, error));
    return *is_new ? base_u32_vec_push(&domain->action_end, (uint32_t)domain->actions.count, error)
                   : OPAC_OK;
}

opac_status policy_domain_add_action(policy_domain *domain, const char *name, opac_error *error)
{
    uint32_t number;
    if (domain->actions.count == GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u choices", GRAPH_LARGEST);
    TRY(base_intern_add(&domain->names, name, strlen(name) + 1, &number, NULL, error));
    TRY(base_u32_vec_push(&domain->actions, number, error));
    domain->action_end.items[domain->action_end.count - 1]++;
    return OPAC_OK;
}

opac_status policy_domain_set_initial(policy_domain *domain, const base_bitset *states,
                                      opac_error *error)
{
    for (size_t s = base_bitset_next(states, 0); s < states->size;
         s = base_bitset_next(states, s + 1))
        TRY(base_u32_vec_push(&domain->initial, (uint32_t)s, error));
    return OPAC_OK;
}

bool policy_domain_find(const policy_domain *domain, const void *key, size_t length,
                        uint32_t *state)
{
    return base_intern_find(&domain->keys, length > 0 ? key : "", length, state);
}

/* ---- all domains ---- */

/* The index of the first action of a state among the actions of all states. */
static uint32_t first_action(const policy_domain *domain, uint32_t state)
{
    if (domain->model != NULL)
        return domain->model->process.choice_begin[state];
    return state > 0 ? domain->action_end.items[state - 1] : 0;
}

uint32_t policy_domain_states(const policy_domain *domain)
{
    return domain->model != NULL ? opac_model_states(domain->model) : domain->keys.count;
}

uint32_t policy_domain_actions(const policy_domain *domain, uint32_t state)
{
    return first_action(domain, state + 1) - first_action(domain, state);
}

const char *policy_domain_action(const policy_domain *domain, uint32_t state, uint32_t action)
{
    size_t length;
    if (state >= policy_domain_states(domain) || action >= policy_domain_actions(domain, state))
        return "";
    action += first_action(domain, state);
    if (domain->model != NULL)
        return opac_model_choice_action(domain->model, action);
    return (const char *)base_intern_key(&domain->names, domain->actions.items[action], &length);
}

const base_intern *policy_domain_names(const policy_domain *domain)
{
    return domain->model != NULL ? &domain->model->actions : &domain->names;
}

const base_u32_vec *policy_domain_initial(const policy_domain *domain)
{
    return domain->model != NULL ? &domain->model->initial : &domain->initial;
}

size_t policy_domain_find_initial(const policy_domain *domain, uint32_t state)
{
    const base_u32_vec *initial = policy_domain_initial(domain);
    size_t low = 0, high = initial->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (initial->items[middle] < state)
            low = middle + 1;
        else
            high = middle;
    }
    return low < initial->count && initial->items[low] == state ? low : initial->count;
}
