/* SPDX-License-Identifier: MIT */
/*
 * A tour of all positional policies. A policy is decided state by state, in the
 * order in which its own runs can meet them, so that policies that differ only
 * where they never come are one:
 *
 *     met       s0   s3   s1   s4       states that can be met, by first sight
 *     taken     2    0    1    ·        the choice in each of the first `depth`
 *     before    1    2    4    ·        how many were met before it was taken
 *
 * Choices of a state with equal distributions are one (distinct.h).
 */
#ifndef SOLVE_POLICY_ENUMERATION_H
#define SOLVE_POLICY_ENUMERATION_H

#include "solve/distinct.h"

typedef struct solve_enumeration {
    const graph_process *process;
    solve_distinct distinct;
    uint32_t *choice; /* by state: of the process; GRAPH_NONE: stays, or is not met */
    uint32_t *met, *taken, *before;
    bool *is_met; /* by state */
    bool *open;   /* by state: met, and not decided */
    uint32_t met_count, depth;
    base_work *work; /* borrowed; NULL: not counted */
} solve_enumeration;

opac_status solve_enumeration_init(solve_enumeration *enumeration, const graph_process *process,
                                   uint32_t start, base_work *work, opac_error *error);
void solve_enumeration_fini(solve_enumeration *enumeration);

/* Nothing is decided. */
void solve_enumeration_reset(solve_enumeration *enumeration);
/* Whether all states that are met are decided: a policy. */
static inline bool solve_enumeration_is_complete(const solve_enumeration *enumeration)
{
    return enumeration->depth == enumeration->met_count;
}
/* Decides the next state, not yet whole, for its first choice. */
void solve_enumeration_extend(solve_enumeration *enumeration);
/* Leaves what begins with the decisions so far, for what comes behind it; false: nothing does. */
bool solve_enumeration_next(solve_enumeration *enumeration);
/* The policy with these choices, numbers among the distinct ones, by state; not a stop of the tour.
 * Once the work is stopped, only a part of it. */
void solve_enumeration_set(solve_enumeration *enumeration, const uint32_t *index);

#endif
