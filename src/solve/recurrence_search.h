/* SPDX-License-Identifier: MIT */
/*
 * The search for a policy with a long recurrence time: many policies to begin with, each measured
 * roughly, and from the longest of them a climb that changes the choice of one state at a time.
 *
 *     0 … n-1     the policies of the caller (solve_recurrence_options.initial_policies)
 *     then        reluctant policies (least_progress.h), for targets spread over the states
 *     then        the first choices everywhere, and choices drawn by a hash
 *
 * Deterministic, and within the limit of work. Every time that it finds is one of some policy,
 * or less: a lower bound on the greatest.
 */
#ifndef SOLVE_RECURRENCE_SEARCH_H
#define SOLVE_RECURRENCE_SEARCH_H

#include "solve/policy_enumeration.h"
#include "solve/recurrence_solver.h"

/* Shared by the search and by the enumeration of all policies. */
typedef struct solve_recurrence_max {
    const solve_recurrence_options *options;
    solve_recurrence_solver solver;
    solve_enumeration enumeration;
    uint32_t start;
    solve_recurrence best;
    uint32_t *choice; /* by state: of the best */
    uint32_t *index;  /* by state, of the policy at hand: a number among the distinct choices */
    uint64_t work, policies;
    uint64_t wasted; /* work of looks at beginnings of policies that had to be gone on with */
    uint64_t limit;  /* of the work, at the moment; 0: none */
    bool has_choice; /* there is more than one policy */
    bool is_partial; /* some policy was too large, or not looked at */
    bool is_longer;  /* some policy takes longer than max_steps */
} solve_recurrence_max;

bool solve_recurrence_max_is_finished(const solve_recurrence_max *x);

/* A lower bound on the time of a policy, given by index; the longest is kept. */
opac_status solve_recurrence_max_try(solve_recurrence_max *x, const uint32_t *index,
                                     uint64_t *steps, opac_error *error);

opac_status solve_recurrence_search_run(solve_recurrence_max *x, opac_error *error);

#endif
