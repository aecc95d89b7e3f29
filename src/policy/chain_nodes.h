/* SPDX-License-Identifier: MIT */
/*
 * The pairs of state and memory that are possible under a policy, numbered
 * by first sight, those that runs begin with first.
 *
 *     policy_nodes pairs;
 *     status = policy_nodes_begin(&pairs, policy, error);
 *     for (uint32_t i = 0; i < policy_nodes_count(&pairs); i++)
 *         policy_node pair = policy_nodes_at(&pairs, i);
 *         choice = opac_policy_act(policy, pair.state, &pair.memory);
 *         policy_nodes_add(&pairs, target, pair.memory, &number, error);   for each target
 *     policy_nodes_fini(&pairs);
 */
#ifndef POLICY_CHAIN_NODES_H
#define POLICY_CHAIN_NODES_H

#include "base/map.h"
#include "policy/policy.h"

typedef struct policy_node {
    uint32_t state, memory;
} policy_node;

typedef struct policy_nodes {
    base_map numbers; /* state · 2^32 + memory: 1 + the number; entries are in the order of it */
} policy_nodes;

/* The pairs for the initial states, in their order. */
opac_status policy_nodes_begin(policy_nodes *pairs, const opac_policy *policy, opac_error *error);
void policy_nodes_fini(policy_nodes *pairs);
opac_status policy_nodes_add(policy_nodes *pairs, uint32_t state, uint32_t memory, uint32_t *number,
                             opac_error *error);

static inline uint32_t policy_nodes_count(const policy_nodes *pairs)
{
    return (uint32_t)pairs->numbers.count;
}

static inline policy_node policy_nodes_at(const policy_nodes *pairs, uint32_t number)
{
    uint64_t key = pairs->numbers.entries[number].key;
    return (policy_node){(uint32_t)(key >> 32), (uint32_t)key};
}

#endif
