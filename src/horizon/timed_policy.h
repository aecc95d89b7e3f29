/* SPDX-License-Identifier: MIT */
/* Timed policies: the choice in a product state depends on the number of steps that are left. */
#ifndef HORIZON_TIMED_POLICY_H
#define HORIZON_TIMED_POLICY_H

#include "sample/statistics.h"
#include "solve/solver.h"

/* From this number of steps left on; SAMPLE_NONE: the episode ends. */
typedef struct horizon_segment {
    uint64_t from;
    uint32_t choice;
} horizon_segment;
BASE_VEC(horizon_segment_vec, horizon_segment);
BASE_VEC_COPY(horizon_segment_vec);

/*
 * Segments of product state i: from segment[begin[i]] up to segment[begin[i+1]], ascending in `from`, the first
 * with 1. Without segments the product state is not in the model.
 */
typedef struct horizon_timed_policy {
    horizon_segment_vec segment;
    base_u32_vec begin; /* one more than product states; empty if there is no policy */
} horizon_timed_policy;

/* *is_there: whether the policy knows the product state. left >= 1. */
uint32_t horizon_timed_choice(const horizon_timed_policy *policy, uint32_t product_state,
                              uint64_t left, bool *is_there);
/*
 * Makes the policy from a finite horizon. node: by product state, its state in the process, or SAMPLE_NONE.
 * number: by choice of the process, that in the statistics.
 */
opac_status horizon_timed_fill(horizon_timed_policy *policy, const solve_horizon_result *result,
                               const base_u32_vec *node, size_t product_states,
                               const uint32_t *number, opac_error *error);
void horizon_timed_clear(horizon_timed_policy *policy);
opac_status horizon_timed_copy(horizon_timed_policy *policy, const horizon_timed_policy *other,
                               opac_error *error);
void horizon_timed_fini(horizon_timed_policy *policy);

#endif
