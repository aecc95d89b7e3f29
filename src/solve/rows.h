/* SPDX-License-Identifier: MIT */
/*
 * The rows of a problem with intervals. Unseen mass becomes an edge [0, unseen] to a state of its
 * own, the last one, which has no choices:
 *
 *     choice c   s ──[l, u]──► t, …              becomes      s ──[l, u]──► t, …
 *                unseen(c) > 0                                  └─[0, unseen]──► last state
 *
 * That state is worth 1 for an upper bound and 0 for a lower one, and nothing else in the solver
 * knows of unseen mass. No end component has a choice that leads there: only choices all of whose
 * outcomes are known can be part of a winning one. For an upper bound that is no loss. A choice that
 * returns for ever in a model without the unseen outcome leads there almost surely in a
 * model with it, and is worth 1.
 */
#ifndef SOLVE_ROWS_H
#define SOLVE_ROWS_H

#include "graph/workspace.h"
#include "solve/problem.h"

typedef struct solve_rows {
    graph_process process; /* states and choices keep their numbers; borrowed */
    const double *lower, *upper;
    uint32_t unseen; /* the state; GRAPH_NONE: there is no unseen mass */
    uint32_t widest; /* edges of a choice, at most */
    bool has_zero;   /* some edge to a state of the problem has the lower end 0 */
} solve_rows;

/* Refuses what no model satisfies. Linear; without unseen mass nothing is copied. */
opac_status solve_rows_complete(const solve_problem *problem, graph_workspace *workspace,
                                solve_rows *rows, opac_error *error);

#endif
