/* SPDX-License-Identifier: MIT */
#include "support/invariants.h"

static opac_status check_decisions(const opac_policy *policy, uint32_t state, opac_error *error)
{
    for (uint32_t i = policy->begin[state]; i < policy->begin[state + 1]; i++) {
        const policy_decision *decision = &policy->decisions[i];
        if (i > policy->begin[state] && decision->memory <= decision[-1].memory)
            return base_fail(error, OPAC_ERROR_INTERNAL,
                             "the decisions of state %u are not in order", (unsigned)state);
        if (decision->memory >= policy->memory_count || decision->next >= policy->memory_count)
            return base_fail(error, OPAC_ERROR_INTERNAL,
                             "a decision of state %u: the memory goes from %u to %u, of %u values",
                             (unsigned)state, (unsigned)decision->memory, (unsigned)decision->next,
                             (unsigned)policy->memory_count);
        if (decision->action >= policy_domain_choices(&policy->domain, state))
            return base_fail(error, OPAC_ERROR_INTERNAL,
                             "a decision of state %u: there is no action %u", (unsigned)state,
                             (unsigned)decision->action);
    }
    return OPAC_OK;
}

static opac_status check_start(const opac_policy *policy, opac_error *error)
{
    for (size_t i = 0; i < policy_domain_initial(&policy->domain)->count; i++)
        if (policy->start[i] >= policy->memory_count)
            return base_fail(error, OPAC_ERROR_INTERNAL, "it starts with memory %u, of %u values",
                             (unsigned)policy->start[i], (unsigned)policy->memory_count);
    return OPAC_OK;
}

/* The arrays of a simulator's states. */
static opac_status check_seen(const policy_domain *domain, opac_error *error)
{
    uint32_t before = 0, states = domain->keys.count;
    if (domain->action_end.count != states)
        return base_fail(error, OPAC_ERROR_INTERNAL, "%u keys, and actions of %zu states",
                         (unsigned)states, domain->action_end.count);
    for (uint32_t s = 0; s < states; before = domain->action_end.items[s++])
        if (domain->action_end.items[s] < before)
            return base_fail(error, OPAC_ERROR_INTERNAL, "the actions of state %u end early",
                             (unsigned)s);
    if (domain->actions.count != before)
        return base_fail(error, OPAC_ERROR_INTERNAL, "%zu actions, of which states have %u",
                         domain->actions.count, (unsigned)before);
    for (size_t i = 0; i < domain->actions.count; i++)
        if (domain->actions.items[i] >= domain->names.count)
            return base_fail(error, OPAC_ERROR_INTERNAL, "action %zu has no name", i);
    for (size_t i = 0; i < domain->initial.count; i++)
        if (domain->initial.items[i] >= states ||
            (i > 0 && domain->initial.items[i] <= domain->initial.items[i - 1]))
            return base_fail(error, OPAC_ERROR_INTERNAL, "the initial states are not in order");
    return OPAC_OK;
}

opac_status policy_check(const opac_policy *policy, opac_error *error)
{
    uint32_t states = policy_domain_states(&policy->domain);
    if (policy->objective == NULL || policy->begin == NULL || policy->start == NULL)
        return base_fail(error, OPAC_ERROR_INTERNAL, "a part of the policy is missing");
    if (policy->domain.model == NULL)
        TRY(check_seen(&policy->domain, error));
    uint32_t known = policy->automaton != NULL ? policy->automaton->state_count : 0;
    if (policy->memory_count == 0 ||
        (policy->automaton != NULL && policy->memory_count != (known > 0 ? known : 1)))
        return base_fail(error, OPAC_ERROR_INTERNAL, "%u memory values for %u automaton states",
                         (unsigned)policy->memory_count, (unsigned)known);
    if (policy->begin[0] != 0)
        return base_fail(error, OPAC_ERROR_INTERNAL, "the decisions do not begin at 0");
    TRY(check_start(policy, error));
    for (uint32_t s = 0; s < states; s++) {
        if (policy->begin[s + 1] < policy->begin[s])
            return base_fail(error, OPAC_ERROR_INTERNAL, "the decisions of state %u end early",
                             (unsigned)s);
        TRY(check_decisions(policy, s, error));
    }
    return OPAC_OK;
}
