/* SPDX-License-Identifier: MIT */
/* Graph analysis of a problem, without probabilities: the first phase of every run. */
#ifndef SOLVE_ANALYSIS_H
#define SOLVE_ANALYSIS_H

#include "graph/almost_sure.h"
#include "solve/winning.h"

typedef struct solve_analysis {
    graph_reverse reverse;
    solve_winning winning;
    graph_max_reached reached; /* with the winning states as target */
} solve_analysis;

/* Linear time except for the end components (mec.h). The result takes 12 bytes for each state and 4 for
 * each choice and edge. */
opac_status solve_analyse(const solve_problem *problem, graph_workspace *workspace,
                          solve_analysis *analysis, opac_error *error);

#endif
