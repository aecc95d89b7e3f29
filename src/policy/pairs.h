/* SPDX-License-Identifier: MIT */
/*
 * The pairs of state and memory that are possible under a policy, numbered
 * by first sight, those that runs begin with first.
 *
 *     policy_pairs pairs;
 *     status = policy_pairs_begin(&pairs, policy, error);
 *     for (uint32_t i = 0; i < policy_pairs_count(&pairs); i++)
 *         policy_pair pair = policy_pairs_at(&pairs, i);
 *         choice = opac_policy_act(policy, pair.state, &pair.memory);
 *         policy_pairs_meet(&pairs, target, pair.memory, &number, error);   for each target
 *     policy_pairs_fini(&pairs);
 */
#ifndef POLICY_PAIRS_H
#define POLICY_PAIRS_H

#include "base/map.h"
#include "policy/policy.h"

typedef struct policy_pair {
    uint32_t state, memory;
} policy_pair;

typedef struct policy_pairs {
    base_map numbers; /* state · 2^32 + memory: 1 + the number; entries are in the order of it */
} policy_pairs;

/* The pairs for the initial states, in their order. */
opac_status policy_pairs_begin(policy_pairs *pairs, const opac_policy *policy, opac_error *error);
void policy_pairs_fini(policy_pairs *pairs);
opac_status policy_pairs_meet(policy_pairs *pairs, uint32_t state, uint32_t memory,
                              uint32_t *number, opac_error *error);

static inline uint32_t policy_pairs_count(const policy_pairs *pairs)
{
    return (uint32_t)pairs->numbers.count;
}

static inline policy_pair policy_pairs_at(const policy_pairs *pairs, uint32_t number)
{
    uint64_t key = pairs->numbers.entries[number].key;
    return (policy_pair){(uint32_t)(key >> 32), (uint32_t)key};
}

#endif
