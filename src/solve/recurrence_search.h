/* SPDX-License-Identifier: MIT */
/*
 * Searches for a policy with a long recurrence time: computes lower bounds for many initial policies, then
 * improves the longest of them by local search, which changes the choice of one state at a time.
 *
 *     initial policies
 *     0 … n-1     those of the caller (solve_recurrence_options.initial_policies)
 *     then        policies with least progress (least_progress.h) towards evenly spaced target states
 *     then        the first choice in every state, and pseudorandom policies from a hash
 *
 * The search is deterministic and respects the limit of work. Each time found is a lower bound on the time
 * of some policy, and so on the maximum.
 */
#ifndef SOLVE_RECURRENCE_SEARCH_H
#define SOLVE_RECURRENCE_SEARCH_H

#include "solve/policy_enumeration.h"
#include "solve/recurrence_solver.h"

/* The state of the maximisation, shared by the search and the enumeration of all policies. */
typedef struct solve_recurrence_max {
    const solve_recurrence_options *options;
    solve_recurrence_solver solver;
    solve_enumeration enumeration;
    uint32_t start;
    solve_recurrence best;
    uint32_t *choice; /* by state: the policy with the time `best` */
    uint32_t *index;  /* by state: the current policy, as indices of distinct choices */
    uint64_t work, policies;
    uint64_t wasted; /* work spent on partial policies that could not be pruned */
    uint64_t limit;  /* current limit of work; 0: none */
    bool has_choice; /* whether there is more than one policy */
    bool is_partial; /* whether some policy was too large, or was not examined */
    bool is_longer;  /* whether some policy takes longer than max_steps */
} solve_recurrence_max;

bool solve_recurrence_max_is_finished(const solve_recurrence_max *x);

/* Computes a lower bound on the time of a policy (indices of distinct choices), and updates `best`. */
opac_status solve_recurrence_max_try(solve_recurrence_max *x, const uint32_t *index,
                                     uint64_t *steps, opac_error *error);

opac_status solve_recurrence_search_run(solve_recurrence_max *x, opac_error *error);

#endif
