/* SPDX-License-Identifier: MIT */
/*
 * Positional policies of the whole product, seen or not: a choice for each product state that was known when the
 * policy was fixed, and a default rule for all others, their first choice. So a policy does not change when
 * something new is seen. This is what lower bounds by episodes need (docs/theory.md, Theorem 16). The returned
 * policy cannot follow the automaton in states that were never seen; candidate.h says how trials account for it.
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

/*
 * Whether the returned policy does what a choice does in a product state that it does not list: it takes the first
 * action, and keeps its memory. That is so however it is run: for a model and for the keys of a simulator, in memory
 * and read from a file, in known states and in unknown ones, by opac_policy_act and by opac_learning_act. In known
 * states it follows the automaton, but stays where it is if an edge leads back (aut_successor).
 *
 * Two kinds of choices do not matter, since the word of the run is accepted if the run is, whatever the memory is:
 * those in states without actions, after which the word is fixed, and those that lead to a universal memory.
 */
bool sample_is_unlisted_choice(const sample_statistics *stats, uint32_t product_state,
                               uint32_t choice);
/* The default rule for all product states so far. */
opac_status sample_positional_reset(sample_positional *policy, const sample_statistics *stats,
                                    opac_error *error);
/* Lists the product states that were found since the policy was fixed, with their first choice: the same policy,
 * but it knows more. */
opac_status sample_positional_extend(sample_positional *policy, const sample_statistics *stats,
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
