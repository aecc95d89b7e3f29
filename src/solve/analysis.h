/* SPDX-License-Identifier: MIT */
/* What the graph of a problem decides, without numbers: the first phase of every run. */
#ifndef SOLVE_ANALYSIS_H
#define SOLVE_ANALYSIS_H

#include "graph/almost_sure.h"
#include "solve/winning.h"

typedef struct solve_analysis {
    graph_reverse reverse;
    solve_winning winning;
    graph_max_reached reached; /* winning states */
} solve_analysis;

/* Linear, but for the end components (mec.h). 12 bytes a state and 4 a choice and an edge stay. */
opac_status solve_analyse(const solve_problem *problem, graph_workspace *workspace,
                          solve_analysis *analysis, opac_error *error);

#endif
