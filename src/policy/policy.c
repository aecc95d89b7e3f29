/* SPDX-License-Identifier: MIT */
/*
 * Construction and execution of policies.
 *
 * A step costs a binary search among the decisions of the state, which are at most as many as memory values;
 * without a decision, a search of the edges of one state of the automaton.
 */
#include "policy/policy.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"

/* ---- construction ---- */

opac_status policy_new(const opac_model *model, opac_policy **policy, opac_error *error)
{
    opac_policy *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    policy_domain_init(&made->domain, model);
    made->memory_count = 1;
    *policy = made;
    return OPAC_OK;
}

void opac_policy_free(opac_policy *policy)
{
    if (policy == NULL)
        return;
    opac_automaton_free(policy->automaton);
    base_free(policy->objective);
    base_free(policy->formula);
    policy_definitions_fini(&policy->definitions);
    base_free(policy->letters);
    base_free(policy->begin);
    base_free(policy->decisions);
    base_free(policy->start);
    policy_domain_fini(&policy->domain);
    base_free(policy);
}

opac_status policy_entry_add(policy_entry_vec *entries, uint32_t state, policy_decision decision,
                             opac_error *error)
{
    if (entries->count >= UINT32_MAX)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u decisions", UINT32_MAX);
    policy_entry entry = {state, (uint32_t)entries->count, decision};
    return policy_entry_vec_push(entries, entry, error);
}

static int compare_entries(const void *a, const void *b)
{
    const policy_entry *x = a, *y = b;
    if (x->decision.memory != y->decision.memory)
        return x->decision.memory < y->decision.memory ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Counting sort by state. While entries are placed, begin[s] is the position of the next entry of state s. */
static void sort_by_state(const policy_entry_vec *entries, uint32_t states, uint32_t *begin,
                          policy_entry *sorted)
{
    for (size_t i = 0; i < entries->count; i++)
        begin[entries->items[i].state + 1]++;
    for (uint32_t s = 0; s < states; s++)
        begin[s + 1] += begin[s];
    for (size_t i = 0; i < entries->count; i++)
        sorted[begin[entries->items[i].state]++] = entries->items[i];
    for (uint32_t s = states; s > 0; s--)
        begin[s] = begin[s - 1];
    begin[0] = 0;
}

/* Sorts the entries of each state by memory; false if two of them have the same memory. */
static bool sort_by_memory(const uint32_t *begin, uint32_t states, policy_entry *sorted,
                           uint32_t *twice)
{
    for (uint32_t s = 0; s < states; s++) {
        if (begin[s + 1] - begin[s] < 2)
            continue;
        qsort(sorted + begin[s], begin[s + 1] - begin[s], sizeof *sorted, compare_entries);
        for (uint32_t i = begin[s] + 1; i < begin[s + 1]; i++)
            if (sorted[i].decision.memory == sorted[i - 1].decision.memory) {
                *twice = sorted[i].index;
                return false;
            }
    }
    return true;
}

opac_status policy_set_decisions(opac_policy *policy, const policy_entry_vec *entries,
                                 uint32_t *twice, opac_error *error)
{
    uint32_t states = policy_domain_states(&policy->domain), second = 0;
    opac_status status = OPAC_OK;
    policy_entry *sorted = base_alloc(entries->count, sizeof *sorted);
    policy->begin = base_alloc_zeroed((size_t)states + 1, sizeof *policy->begin);
    policy->decisions = base_alloc(entries->count, sizeof *policy->decisions);
    if (sorted == NULL || policy->begin == NULL || policy->decisions == NULL) {
        base_free(sorted);
        return base_fail_memory(error);
    }
    sort_by_state(entries, states, policy->begin, sorted);
    if (!sort_by_memory(policy->begin, states, sorted, &second)) {
        status = base_fail(error, OPAC_ERROR_ARGUMENT,
                           "there are two decisions for a state and memory value");
        if (twice != NULL)
            *twice = second;
    }
    for (size_t i = 0; i < entries->count; i++)
        policy->decisions[i] = sorted[i].decision;
    base_free(sorted);
    return status;
}

/* ---- running ---- */

const policy_decision *policy_find_decision(const opac_policy *policy, uint32_t state,
                                            uint32_t memory)
{
    uint32_t low = policy->begin[state], high = policy->begin[state + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (policy->decisions[middle].memory < memory)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < policy->begin[state + 1] && policy->decisions[low].memory == memory;
    return found ? &policy->decisions[low] : NULL;
}

uint32_t policy_act(const opac_policy *policy, uint32_t state, uint32_t *memory)
{
    assert(state < policy_domain_states(&policy->domain));
    const policy_decision *decision = policy_find_decision(policy, state, *memory);
    if (decision != NULL) {
        *memory = decision->next;
        return decision->action;
    }
    if (policy->automaton != NULL && policy->letters != NULL)
        *memory = aut_successor(policy->automaton, *memory, policy->letters[state]);
    return 0;
}

uint32_t opac_policy_act(const opac_policy *policy, uint32_t state, uint32_t *memory)
{
    const opac_model *model = policy->domain.model;
    return policy_act(policy, state, memory) +
           (model != NULL ? opac_model_choice_begin(model, state) : 0);
}

uint32_t opac_policy_start(const opac_policy *policy, uint32_t state)
{
    size_t index = policy_domain_find_initial(&policy->domain, state);
    const opac_automaton *automaton = policy->automaton;
    if (index < policy_domain_initial(&policy->domain)->count)
        return policy->start[index];
    /* A run that begins in another state begins in the initial state of the automaton. */
    return automaton != NULL && automaton->initial_count > 0 ? automaton->initial[0] : 0;
}

/* If the state is not initial, uses the memory of the first initial state. */
uint32_t opac_policy_start_at(const opac_policy *policy, const void *key, size_t length)
{
    uint32_t state;
    size_t index = 0;
    if (policy_domain_find(&policy->domain, key, length, &state))
        index = policy_domain_find_initial(&policy->domain, state);
    return policy->start[index < policy_domain_initial(&policy->domain)->count ? index : 0];
}

uint32_t opac_policy_act_at(const opac_policy *policy, const void *key, size_t length,
                            uint32_t *memory)
{
    uint32_t state;
    bool is_known = policy_domain_find(&policy->domain, key, length, &state);
    return is_known ? policy_act(policy, state, memory) : 0;
}

/* ---- properties ---- */

uint32_t opac_policy_memory(const opac_policy *policy)
{
    return policy->memory_count;
}

uint64_t opac_policy_decisions(const opac_policy *policy)
{
    return policy->begin[policy_domain_states(&policy->domain)];
}

const opac_automaton *opac_policy_automaton(const opac_policy *policy)
{
    return policy->automaton;
}

const char *opac_policy_objective(const opac_policy *policy)
{
    return policy->objective;
}

bool opac_policy_has_keys(const opac_policy *policy)
{
    return policy->domain.model == NULL;
}

uint32_t opac_policy_states(const opac_policy *policy)
{
    return policy_domain_states(&policy->domain);
}

const void *opac_policy_key(const opac_policy *policy, uint32_t state, size_t *length)
{
    *length = 0;
    if (state >= policy->domain.keys.count)
        return NULL;
    const unsigned char *key = base_intern_key(&policy->domain.keys, state, length);
    return *length > 0 ? (const void *)key : "";
}

const char *opac_policy_action_name(const opac_policy *policy, uint32_t state, uint32_t action)
{
    return policy_domain_action(&policy->domain, state, action);
}

opac_status policy_require_model(const opac_policy *policy, const char *what, opac_error *error)
{
    if (policy->domain.model != NULL)
        return OPAC_OK;
    return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                     "%s: this is the policy of a simulator, whose transitions are not known",
                     what);
}
