/* SPDX-License-Identifier: MIT */
/*
 * Enumerates the positional policies of a process, depth first. A partial policy is extended state by state,
 * in the order in which its runs can reach them. So policies that differ only in states that their runs do
 * not reach are enumerated once:
 *
 *     reached   s0   s3   s1   s4       reachable states, in order of discovery
 *     taken     2    0    1    ·        index of the choice, for the first `depth` of them
 *     before    1    2    4    ·        number of reached states before this choice was taken
 *
 * Choices of a state with equal distributions count once (distinct.h).
 */
#ifndef SOLVE_POLICY_ENUMERATION_H
#define SOLVE_POLICY_ENUMERATION_H

#include "solve/distinct.h"

typedef struct solve_enumeration {
    const graph_process *process;
    solve_distinct distinct;
    uint32_t
        *choice; /* by state: choice of the process; GRAPH_NONE: stays, undecided or not reached */
    uint32_t *reached, *taken, *before;
    bool *is_reached; /* by state */
    bool *undecided;  /* by state: reached, without a choice yet */
    uint32_t reached_count, depth;
    base_work *work; /* borrowed; NULL: work is not counted */
} solve_enumeration;

opac_status solve_enumeration_init(solve_enumeration *enumeration, const graph_process *process,
                                   uint32_t start, base_work *work, opac_error *error);
void solve_enumeration_fini(solve_enumeration *enumeration);

/* Returns to the empty partial policy. */
void solve_enumeration_reset(solve_enumeration *enumeration);
/* Whether all reached states have a choice, so that the policy is complete. */
static inline bool solve_enumeration_is_complete(const solve_enumeration *enumeration)
{
    return enumeration->depth == enumeration->reached_count;
}
/* Takes the first choice in the next undecided state. The policy must not be complete. */
void solve_enumeration_extend(solve_enumeration *enumeration);
/* Skips all completions of the current partial policy; false if no policies are left. */
bool solve_enumeration_next(solve_enumeration *enumeration);
/* Sets the policy with these choices (by state, indices of distinct choices), outside of the enumeration. If
 * the work is stopped, the policy stays partial. */
void solve_enumeration_set(solve_enumeration *enumeration, const uint32_t *index);

#endif
