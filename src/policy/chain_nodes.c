/* SPDX-License-Identifier: MIT */
/* The numbering is a hash map, whose entries are in the order of insertion. */
#include "policy/chain_nodes.h"

#include "graph/process.h"

opac_status policy_nodes_begin(policy_nodes *nodes, const opac_policy *policy, opac_error *error)
{
    const base_u32_vec *initial = policy_domain_initial(&policy->domain);
    *nodes = (policy_nodes){0};
    for (size_t i = 0; i < initial->count; i++) {
        uint32_t number;
        TRY(policy_nodes_add(nodes, initial->items[i], policy->start[i], &number, error));
    }
    return OPAC_OK;
}

void policy_nodes_fini(policy_nodes *nodes)
{
    base_map_fini(&nodes->numbers);
}

opac_status policy_nodes_add(policy_nodes *nodes, uint32_t state, uint32_t memory, uint32_t *number,
                             opac_error *error)
{
    uint64_t *entry;
    TRY(base_map_at(&nodes->numbers, (uint64_t)state << 32 | memory, &entry, error));
    if (*entry == 0)
        *entry = nodes->numbers.count;
    if (*entry > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "the Markov chain of the policy has more than %u states", GRAPH_LARGEST);
    *number = (uint32_t)(*entry - 1);
    return OPAC_OK;
}
