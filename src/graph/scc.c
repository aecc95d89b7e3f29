/* SPDX-License-Identifier: MIT */
#include "graph/scc.h"

#include <assert.h>

#include "graph/search.h"

/* Converts the marks of the search to component numbers, in place. */
static void number_components(uint32_t *mark, uint32_t state_count)
{
    for (uint32_t s = 0; s < state_count; s++)
        mark[s] = mark[s] == GRAPH_NONE ? GRAPH_NONE : state_count - mark[s];
}

opac_status graph_scc_find(const graph_process *process, graph_part part,
                           graph_workspace *workspace, graph_scc *scc, opac_error *error)
{
    assert(graph_part_fits(process, part));
    graph_search search;
    graph_place start = graph_workspace_mark(workspace);
    uint32_t *mark = graph_take_u32(workspace, process->state_count);
    graph_place scratch = graph_workspace_mark(workspace);
    opac_status status;
    TRY_OR(done, mark != NULL ? OPAC_OK : base_fail_memory(error));
    TRY_OR(done, graph_search_init(&search, process, part.choices, mark, NULL, workspace, error));
    for (uint32_t s = 0; s < process->state_count; s++)
        mark[s] = graph_part_has_state(part, s) ? 0 : GRAPH_NONE;
    for (uint32_t s = 0; s < process->state_count && !base_work_is_stopped(search.work); s++)
        graph_search_from(&search, s);
    TRY_OR(done, graph_workspace_check(workspace, error));
    number_components(mark, process->state_count);
    *scc = (graph_scc){.count = search.count, .component = mark};
done:
    graph_workspace_release(workspace, status == OPAC_OK ? scratch : start);
    return status;
}

opac_status graph_group_states(const uint32_t *group, uint32_t state_count, uint32_t group_count,
                               graph_workspace *workspace, graph_groups *groups, opac_error *error)
{
    graph_place start = graph_workspace_mark(workspace);
    /* While states are stored, begin[i + 1] is the position of the next state of group i. */
    uint32_t *begin = graph_take_u32(workspace, (size_t)group_count + 2);
    uint32_t *state = graph_take_u32(workspace, state_count);
    if (begin == NULL || state == NULL) {
        graph_workspace_release(workspace, start);
        return base_fail_memory(error);
    }
    for (size_t i = 0; i < (size_t)group_count + 2; i++)
        begin[i] = 0;
    for (uint32_t s = 0; s < state_count; s++)
        if (group[s] != GRAPH_NONE)
            begin[(size_t)group[s] + 2]++;
    for (size_t i = 2; i < (size_t)group_count + 2; i++)
        begin[i] += begin[i - 1];
    for (uint32_t s = 0; s < state_count; s++)
        if (group[s] != GRAPH_NONE)
            state[begin[(size_t)group[s] + 1]++] = s;
    *groups = (graph_groups){.begin = begin, .state = state};
    return OPAC_OK;
}

/* Removes component `own` from `trivial` or `bottom` if an edge of the choice stays in it or leaves it. */
static void classify_choice(const graph_process *process, graph_part part, const graph_scc *scc,
                            uint32_t own, uint32_t c, base_bitset *bottom, base_bitset *trivial)
{
    for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++) {
        uint32_t t = process->target[e];
        if (!graph_part_has_state(part, t))
            continue;
        base_bitset_remove(scc->component[t] == own ? trivial : bottom, own);
    }
}

opac_status graph_scc_classify(const graph_process *process, graph_part part, const graph_scc *scc,
                               graph_workspace *workspace, base_bitset *bottom,
                               base_bitset *trivial, opac_error *error)
{
    assert(graph_part_fits(process, part));
    graph_place start = graph_workspace_mark(workspace);
    opac_status status;
    TRY_OR(done, graph_take_set(workspace, scc->count, bottom, error));
    TRY_OR(done, graph_take_set(workspace, scc->count, trivial, error));
    base_bitset_fill(bottom);
    base_bitset_fill(trivial);
    for (uint32_t s = 0; s < process->state_count; s++) {
        if (graph_spend(workspace, 1 + graph_state_edges(process, s)))
            break;
        if (!graph_part_has_state(part, s))
            continue;
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            if (graph_part_has_choice(part, c))
                classify_choice(process, part, scc, scc->component[s], c, bottom, trivial);
    }
    status = graph_workspace_check(workspace, error);
done:
    if (status != OPAC_OK)
        graph_workspace_release(workspace, start);
    return status;
}
