/* SPDX-License-Identifier: MIT */
/*
 * Positional policies of the whole product, seen or not: a choice for each product state that was known when the
 * policy was fixed, and a default rule for all others, their first choice. So a policy does not change when
 * something new is seen. This is what lower bounds by episodes need (docs/theory.md, Theorem 16). Policy files
 * cannot follow the automaton in states that were never seen; candidate.h says how trials account for it.
 */
#ifndef SAMPLE_POSITIONAL_H
#define SAMPLE_POSITIONAL_H

#include "sample/statistics.h"

typedef struct sample_positional {
    base_u32_vec choice; /* by product state: its choice, numbered as in the statistics */
} sample_positional;

static inline uint32_t sample_positional_choice(const sample_positional *policy,
                                                const sample_statistics *stats,
                                                uint32_t product_state)
{
    return product_state < policy->choice.count ? policy->choice.items[product_state]
                                                : stats->product_states.items[product_state].choice;
}

/* The default rule for all product states so far. */
opac_status sample_positional_reset(sample_positional *policy, const sample_statistics *stats,
                                    opac_error *error);
static inline opac_status sample_positional_copy(sample_positional *policy,
                                                 const sample_positional *other, opac_error *error)
{
    return base_u32_vec_copy(&policy->choice, &other->choice, error);
}
static inline void sample_positional_fini(sample_positional *policy)
{
    base_u32_vec_fini(&policy->choice);
}

#endif
