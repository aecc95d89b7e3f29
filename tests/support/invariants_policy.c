/* SPDX-License-Identifier: MIT */
#include "support/invariants.h"

static opac_status check_decisions(const opac_policy *policy, uint32_t state, opac_error *error)
{
    const uint32_t *choices = &policy->model->process.choice_begin[state];
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
        if (decision->choice < choices[0] || decision->choice >= choices[1])
            return base_fail(error, OPAC_ERROR_INTERNAL,
                             "a decision of state %u: choice %u is another state's",
                             (unsigned)state, (unsigned)decision->choice);
    }
    return OPAC_OK;
}

static opac_status check_start(const opac_policy *policy, opac_error *error)
{
    for (size_t i = 0; i < policy->model->initial.count; i++)
        if (policy->start[i] >= policy->memory_count)
            return base_fail(error, OPAC_ERROR_INTERNAL, "it starts with memory %u, of %u values",
                             (unsigned)policy->start[i], (unsigned)policy->memory_count);
    return OPAC_OK;
}

opac_status policy_check(const opac_policy *policy, opac_error *error)
{
    uint32_t states = opac_model_states(policy->model);
    if (policy->objective == NULL || policy->begin == NULL || policy->start == NULL)
        return base_fail(error, OPAC_ERROR_INTERNAL, "a part of the policy is missing");
    if (policy->own != NULL && (policy->own != policy->model || policy->keys.count != states))
        return base_fail(error, OPAC_ERROR_INTERNAL, "%u keys of %u states",
                         (unsigned)policy->keys.count, (unsigned)states);
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
