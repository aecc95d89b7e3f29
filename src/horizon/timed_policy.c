/* SPDX-License-Identifier: MIT */
/* Timed policies: see timed_policy.h. */
#include "horizon/timed_policy.h"

#include "graph/process.h"

uint32_t horizon_timed_choice(const horizon_timed_policy *policy, uint32_t product_state,
                              uint64_t left, bool *is_there)
{
    *is_there = (size_t)product_state + 1 < policy->begin.count &&
                policy->begin.items[product_state] < policy->begin.items[product_state + 1];
    if (!*is_there)
        return SAMPLE_NONE;
    uint32_t low = policy->begin.items[product_state],
             high = policy->begin.items[product_state + 1];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (policy->segment.items[middle].from <= left)
            low = middle;
        else
            high = middle;
    }
    return policy->segment.items[low].choice;
}

/* The segments of a state of the process. */
static opac_status add_segments(horizon_timed_policy *policy, const solve_horizon_result *result,
                                uint32_t state, const uint32_t *number, opac_error *error)
{
    uint32_t last = SAMPLE_NONE;
    for (uint64_t i = 0; i < result->stored; i++) {
        uint32_t choice = result->choice[i * result->states + state];
        choice = choice != GRAPH_NONE ? number[choice] : SAMPLE_NONE;
        if (i == 0 || choice != last)
            TRY(horizon_segment_vec_push(&policy->segment,
                                         (horizon_segment){1 + i * result->stride, choice}, error));
        last = choice;
    }
    return OPAC_OK;
}

opac_status horizon_timed_fill(horizon_timed_policy *policy, const solve_horizon_result *result,
                               const base_u32_vec *node, size_t product_states,
                               const uint32_t *number, opac_error *error)
{
    horizon_timed_clear(policy);
    TRY(base_u32_vec_reserve(&policy->begin, product_states + 1, error));
    for (size_t i = 0; i < product_states; i++) {
        uint32_t state = i < node->count ? node->items[i] : SAMPLE_NONE;
        policy->begin.items[policy->begin.count++] = (uint32_t)policy->segment.count;
        if (state != SAMPLE_NONE)
            TRY(add_segments(policy, result, state, number, error));
        if (policy->segment.count >= GRAPH_LARGEST)
            return base_fail(error, OPAC_ERROR_LIMIT,
                             "more than %u changes of the exploration policy",
                             (unsigned)GRAPH_LARGEST);
    }
    policy->begin.items[policy->begin.count++] = (uint32_t)policy->segment.count;
    return OPAC_OK;
}

void horizon_timed_clear(horizon_timed_policy *policy)
{
    policy->begin.count = policy->segment.count = 0;
}

opac_status horizon_timed_copy(horizon_timed_policy *policy, const horizon_timed_policy *other,
                               opac_error *error)
{
    TRY(base_u32_vec_copy(&policy->begin, &other->begin, error));
    return horizon_segment_vec_copy(&policy->segment, &other->segment, error);
}

void horizon_timed_fini(horizon_timed_policy *policy)
{
    base_u32_vec_fini(&policy->begin);
    horizon_segment_vec_fini(&policy->segment);
}
