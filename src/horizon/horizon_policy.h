/* SPDX-License-Identifier: MIT */
/*
 * Policies of a bracket from T: positional ones, and timed ones, whose choice depends on the number of steps
 * left.
 *
 * A positional policy has a default rule for product states that were added after it was fixed: their first
 * choice. So it is a policy for the whole product, seen or not, and does not change when something new is
 * seen. This is what lower bounds by episodes need (docs/theory.md, Theorem 16). Policy files cannot follow the
 * automaton in states that were never seen; horizon_trial.h says how trials account for it.
 */
#ifndef HORIZON_HORIZON_POLICY_H
#define HORIZON_HORIZON_POLICY_H

#include "sample/statistics.h"
#include "solve/solver.h"

/* ---- positional ---- */

typedef struct horizon_policy {
    base_u32_vec choice; /* by product state: its choice, numbered as in the statistics */
} horizon_policy;

static inline uint32_t horizon_policy_choice(const horizon_policy *policy,
                                             const sample_statistics *stats, uint32_t product_state)
{
    return product_state < policy->choice.count ? policy->choice.items[product_state]
                                                : stats->product_states.items[product_state].choice;
}

/* The default rule for all product states so far. */
opac_status horizon_policy_reset(horizon_policy *policy, const sample_statistics *stats,
                                 opac_error *error);
opac_status horizon_policy_copy(horizon_policy *policy, const horizon_policy *other,
                                opac_error *error);
opac_status horizon_copy_u32(base_u32_vec *to, const base_u32_vec *from, opac_error *error);
static inline void horizon_policy_fini(horizon_policy *policy)
{
    base_u32_vec_fini(&policy->choice);
}

/* ---- timed ---- */

/* From this number of steps left on; SAMPLE_NONE: the episode ends. */
typedef struct horizon_segment {
    uint64_t from;
    uint32_t choice;
} horizon_segment;
BASE_VEC(horizon_segment_vec, horizon_segment);

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
