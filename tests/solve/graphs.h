/* SPDX-License-Identifier: MIT */
/* What the graph phases of a run find, one after the other. */
#ifndef TESTS_SOLVE_GRAPHS_H
#define TESTS_SOLVE_GRAPHS_H

#include "graph/almost_sure.h"
#include "solve/winning.h"
#include "support/check.h"

typedef struct graphs {
    graph_reverse reverse;
    solve_winning winning;
    graph_max_reached reached;
} graphs;

static inline opac_status graphs_find(const solve_problem *problem, graph_workspace *workspace,
                                      graphs *g, opac_error *error)
{
    const graph_part whole = {0};
    opac_status status =
        graph_reverse_build(problem->process, whole, workspace, &g->reverse, error);
    if (status == OPAC_OK)
        status = solve_winning_find(problem, &g->reverse, workspace, &g->winning, error);
    if (status == OPAC_OK)
        status = graph_max_reach(problem->process, whole, &g->reverse, &g->winning.mec,
                                 &g->winning.states, workspace, &g->reached, error);
    return status;
}

#endif
