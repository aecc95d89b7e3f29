/* SPDX-License-Identifier: MIT */
/*
 * The rows of a problem with intervals. Unseen mass becomes an edge [0, unseen] to an additional state, the
 * last one, which has no choices:
 *
 *     choice c   s ──[l, u]──► t, …              becomes      s ──[l, u]──► t, …
 *                unseen(c) > 0                                  └─[0, unseen]──► last state
 *
 * This state has value 1 for an upper bound and 0 for a lower one. The rest of the solver does not know
 * about unseen mass. No end component has a choice that leads to this state, so winning end components
 * consist of choices without unseen outcomes. This does not lower the upper bound: if a choice with unseen
 * mass would stay in a component forever in a model without the unseen outcome, it reaches the unseen state
 * almost surely in a model with it, and has value 1 (docs/theory.md, Lemma 23).
 */
#ifndef SOLVE_ROWS_H
#define SOLVE_ROWS_H

#include "graph/workspace.h"
#include "solve/problem.h"

typedef struct solve_rows {
    graph_process process; /* states and choices keep their numbers; borrowed */
    const double *lower, *upper;
    uint32_t unseen;  /* the additional state; GRAPH_NONE: there is no unseen mass */
    uint32_t longest; /* most edges of a choice */
    bool has_zero;    /* whether an edge of the problem has the lower end 0 */
} solve_rows;

/* Fails if no model satisfies the intervals. Linear time; copies the process only if there is unseen mass. */
opac_status solve_rows_complete(const solve_problem *problem, graph_workspace *workspace,
                                solve_rows *rows, opac_error *error);

#endif
