/* SPDX-License-Identifier: MIT */
/*
 * Positional policies that approach a state as slowly as they can while never giving it up.
 *
 * Let d(s) be the least number of edges from s to the target over all choices. In a state with
 * 0 < d(s) < ∞ the policy takes, among the choices with an edge to a state of smaller d, one that
 * never leads to a state of d = ∞ if there is one, and of those the one with the least
 * probability of a smaller d. In the target it takes the choice with the greatest expected d.
 * Every run that stays where d is finite sees the target again and again, and rarely: such
 * policies tend to have long recurrence times, and are where the search for the longest begins.
 *
 * Linear in the edges, for one target.
 */
#ifndef SOLVE_LEAST_PROGRESS_H
#define SOLVE_LEAST_PROGRESS_H

#include "graph/reverse.h"
#include "solve/distinct.h"

typedef struct solve_least_progress {
    const graph_process *process;
    const solve_distinct *distinct;
    const graph_workspace *workspace; /* borrowed; its work is counted */
    graph_reverse reverse;            /* of the whole process */
    uint32_t *distance;               /* by state; scratch */
    uint32_t *queue;                  /* scratch */
} solve_least_progress;

/* All memory is taken from the workspace. */
opac_status solve_least_progress_init(solve_least_progress *least, const graph_process *process,
                                      const solve_distinct *distinct, graph_workspace *workspace,
                                      opac_error *error);

/* index[s]: the number of the choice among the distinct ones of s; 0 where d(s) = ∞, and anywhere once
 * the work is stopped. */
void solve_least_progress_policy(solve_least_progress *least, uint32_t target, uint32_t *index);

#endif
