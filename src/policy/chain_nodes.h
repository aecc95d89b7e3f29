/* SPDX-License-Identifier: MIT */
/*
 * The nodes of the Markov chain that a policy induces: the product states (state and memory) that are
 * reachable under the policy, numbered in the order in which they are added, initial ones first.
 *
 *     policy_nodes nodes;
 *     status = policy_nodes_begin(&nodes, policy, error);
 *     for (uint32_t i = 0; i < policy_nodes_count(&nodes); i++)
 *         policy_node node = policy_nodes_at(&nodes, i);
 *         choice = opac_policy_act(policy, node.state, &node.memory);
 *         policy_nodes_add(&nodes, target, node.memory, &number, error);   for each target
 *     policy_nodes_fini(&nodes);
 */
#ifndef POLICY_CHAIN_NODES_H
#define POLICY_CHAIN_NODES_H

#include "base/map.h"
#include "policy/policy.h"

typedef struct policy_node {
    uint32_t state, memory;
} policy_node;

typedef struct policy_nodes {
    base_map
        numbers; /* state · 2^32 + memory ► number + 1; entries are in the order of the numbers */
} policy_nodes;

/* Adds a node for each initial state, in their order. */
opac_status policy_nodes_begin(policy_nodes *nodes, const opac_policy *policy, opac_error *error);
void policy_nodes_fini(policy_nodes *nodes);
/* The number of a node, which is added if it is new. */
opac_status policy_nodes_add(policy_nodes *nodes, uint32_t state, uint32_t memory, uint32_t *number,
                             opac_error *error);

static inline uint32_t policy_nodes_count(const policy_nodes *nodes)
{
    return (uint32_t)nodes->numbers.count;
}

static inline policy_node policy_nodes_at(const policy_nodes *nodes, uint32_t number)
{
    uint64_t key = nodes->numbers.entries[number].key;
    return (policy_node){(uint32_t)(key >> 32), (uint32_t)key};
}

#endif
