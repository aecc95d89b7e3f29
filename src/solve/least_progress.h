/* SPDX-License-Identifier: MIT */
/*
 * Computes policies with the least progress towards a target: positional policies that reach the target
 * again and again, but slowly.
 *
 * Let d(s) be the least number of edges from s to the target over all choices. In a state with
 * 0 < d(s) < ∞, the candidates are the choices with an edge to a state of smaller d; if some of them never
 * lead to a state with d = ∞, only these. The policy takes the candidate with the least probability of
 * reaching a smaller d. In the target it takes the choice with the greatest expected d. Runs that stay
 * where d is finite visit the target infinitely often, but rarely. Such policies tend to have long
 * recurrence times; the search for the longest one begins with them.
 *
 * Linear in the edges, for each target.
 */
#ifndef SOLVE_LEAST_PROGRESS_H
#define SOLVE_LEAST_PROGRESS_H

#include "graph/reverse.h"
#include "solve/distinct.h"

typedef struct solve_least_progress {
    const graph_process *process;
    const solve_distinct *distinct;
    const graph_workspace *workspace; /* borrowed, for counting work */
    graph_reverse reverse;            /* of the whole process */
    uint32_t *distance;               /* by state; scratch */
    uint32_t *queue;                  /* scratch */
} solve_least_progress;

/* Allocates all memory in the workspace. */
opac_status solve_least_progress_init(solve_least_progress *least, const graph_process *process,
                                      const solve_distinct *distinct, graph_workspace *workspace,
                                      opac_error *error);

/* Sets index[s] to the index of the choice among the distinct choices of s. It is 0 where d(s) = ∞; if the
 * work is stopped, it may be 0 in any state. */
void solve_least_progress_policy(solve_least_progress *least, uint32_t target, uint32_t *index);

#endif
