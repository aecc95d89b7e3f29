/* SPDX-License-Identifier: MIT */
#include "solve/analysis.h"

opac_status solve_analyse(const solve_problem *problem, graph_workspace *workspace,
                          solve_analysis *analysis, opac_error *error)
{
    const graph_process *process = problem->process;
    const graph_part whole = {0};
    TRY(graph_reverse_build(process, whole, workspace, &analysis->reverse, error));
    TRY(graph_workspace_check(workspace, error));
    TRY(solve_winning_find(problem, &analysis->reverse, workspace, &analysis->winning, error));
    TRY(graph_workspace_check(workspace, error));
    return graph_max_reach(process, whole, &analysis->reverse, &analysis->winning.mec,
                           &analysis->winning.states, workspace, &analysis->reached, error);
}
