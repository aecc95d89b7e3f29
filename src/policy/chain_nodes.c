/* SPDX-License-Identifier: MIT */
/* Numbering pairs: a hash map that is read back in the order of insertion. */
#include "policy/chain_nodes.h"

#include "graph/process.h"

opac_status policy_nodes_begin(policy_nodes *pairs, const opac_policy *policy, opac_error *error)
{
    const base_u32_vec *initial = policy_domain_initial(&policy->domain);
    *pairs = (policy_nodes){0};
    for (size_t i = 0; i < initial->count; i++) {
        uint32_t number;
        TRY(policy_nodes_add(pairs, initial->items[i], policy->start[i], &number, error));
    }
    return OPAC_OK;
}

void policy_nodes_fini(policy_nodes *pairs)
{
    base_map_fini(&pairs->numbers);
}

opac_status policy_nodes_add(policy_nodes *pairs, uint32_t state, uint32_t memory, uint32_t *number,
                             opac_error *error)
{
    uint64_t *place;
    TRY(base_map_at(&pairs->numbers, (uint64_t)state << 32 | memory, &place, error));
    if (*place == 0)
        *place = pairs->numbers.count;
    if (*place > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u pairs of state and memory",
                         GRAPH_LARGEST);
    *number = (uint32_t)(*place - 1);
    return OPAC_OK;
}
