/* SPDX-License-Identifier: MIT */
#include "solve/optimistic_mec.h"

#include "graph/scc.h"

static const double rounding = 1e-12; /* tolerance for sums of interval ends */

/* Whether an optimistic model of the choice can stay in the component of s. */
static bool choice_stays(const solve_rows *rows, const uint32_t *component, uint32_t s, uint32_t c)
{
    double inside = 0;
    for (uint32_t e = rows->process.edge_begin[c]; e < rows->process.edge_begin[c + 1]; e++) {
        if (component[rows->process.target[e]] == component[s])
            inside += rows->upper[e];
        else if (rows->lower[e] > 0)
            return false;
    }
    return inside >= 1 - rounding;
}

/* Removes choices that cannot stay, and states without a remaining choice; returns whether there were any. */
static bool drop_leaving(const solve_rows *rows, const uint32_t *component, base_bitset *states,
                         base_bitset *choices)
{
    const graph_process *process = &rows->process;
    bool dropped = false;
    for (uint32_t s = 0; s < process->state_count; s++) {
        if (!base_bitset_has(states, s))
            continue;
        bool left = false;
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
            if (!base_bitset_has(choices, c))
                continue;
            if (choice_stays(rows, component, s, c)) {
                left = true;
            } else {
                base_bitset_remove(choices, c);
                dropped = true;
            }
        }
        if (!left) {
            base_bitset_remove(states, s);
            dropped = true;
        }
    }
    return dropped;
}

opac_status solve_optimistic_mec_find(const solve_rows *rows, graph_workspace *workspace,
                                      graph_mec *classes, opac_error *error)
{
    const graph_process *process = &rows->process;
    base_bitset states;
    graph_scc scc;
    graph_groups groups;
    *classes = (graph_mec){0};
    TRY(graph_take_set(workspace, process->state_count, &states, error));
    TRY(graph_take_set(workspace, process->choice_count, &classes->choices, error));
    base_bitset_fill(&states);
    base_bitset_fill(&classes->choices);
    graph_part part = {.states = &states, .choices = &classes->choices};
    for (;;) {
        graph_place place = graph_workspace_mark(workspace);
        TRY(graph_scc_find(process, part, workspace, &scc, error));
        if (!drop_leaving(rows, scc.component, &states, &classes->choices))
            break;
        graph_workspace_release(workspace, place);
    }
    TRY(graph_group_states(scc.component, process->state_count, scc.count, workspace, &groups,
                           error));
    classes->count = scc.count;
    classes->component = scc.component;
    classes->begin = groups.begin;
    classes->state = groups.state;
    return OPAC_OK;
}
