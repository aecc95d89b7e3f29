/* SPDX-License-Identifier: MIT */
/* The results of the graph phases of a run. */
#ifndef TESTS_SOLVE_GRAPHS_H
#define TESTS_SOLVE_GRAPHS_H

#include "solve/analysis.h"
#include "support/check.h"

typedef solve_analysis graphs;

static inline opac_status graphs_find(const solve_problem *problem, graph_workspace *workspace,
                                      graphs *g, opac_error *error)
{
    return solve_analyse(problem, workspace, g, error);
}

#endif
