/* SPDX-License-Identifier: MIT */
/*
 * The search in a component follows the condition. If the union of the marks of all edges satisfies it, the
 * component itself is an accepting cycle. Otherwise some marks have to be avoided (disjuncts.h): the edges
 * that carry them are removed, and the search continues in the strongly connected subgraphs that remain. If
 * an accepting cycle may also carry the mark, the search then assumes that the mark is present, and skips
 * subgraphs without it.
 */
#include "aut/cycles.h"

#include "aut/disjuncts.h"

opac_status aut_graph_borrow(uint32_t states, const uint32_t *begin, const uint32_t *target,
                             const uint64_t *marks, graph_workspace *workspace, aut_graph *graph,
                             opac_error *error)
{
    uint32_t count = begin[states];
    uint32_t *edge_begin = graph_take_u32(workspace, (size_t)count + 1);
    if (edge_begin == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i <= count; i++)
        edge_begin[i] = i;
    graph->marks = marks;
    return graph_process_borrow(states, count, count, begin, edge_begin, target, NULL,
                                &graph->process, error);
}

opac_status aut_graph_of(const opac_automaton *automaton, graph_workspace *workspace,
                         aut_graph *graph, opac_error *error)
{
    uint32_t count = aut_edge_count(automaton);
    uint32_t *target = graph_take_u32(workspace, count);
    uint64_t *marks = graph_take(workspace, count, sizeof *marks);
    if (target == NULL || marks == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        target[i] = automaton->edges[i].target;
        marks[i] = automaton->edges[i].marks;
    }
    return aut_graph_borrow(automaton->state_count, automaton->edge_begin, target, marks, workspace,
                            graph, error);
}

opac_status aut_graph_subgraphs(const aut_graph *graph, graph_part part, const graph_scc *scc,
                                graph_workspace *workspace, aut_subgraphs *subgraphs,
                                opac_error *error)
{
    return aut_subgraphs_extract(graph->process.state_count, graph->process.choice_begin,
                                 graph->process.target, graph->marks, part.choices, scc, workspace,
                                 subgraphs, error);
}

/* ---- accepting cycles in a subgraph ---- */

/*
 * Sets *accepting if the subgraph contains a cycle that satisfies the disjunct and carries all marks of
 * `present`. Each level of the recursion has one mark less to avoid, so its depth is at most the number of
 * marks.
 */
static opac_status find_accepting_cycle(const aut_disjunct *disjunct, const aut_subgraph *subgraph,
                                        uint64_t present, graph_workspace *workspace,
                                        uint64_t *edges_visited, bool *accepting, opac_error *error)
{
    uint64_t marks = subgraph->all_marks, avoided;
    bool is_forced = false;
    if ((present & ~marks) != 0)
        return OPAC_OK;
    if (graph_spend(workspace, aut_disjunct_cost(disjunct)))
        return graph_workspace_check(workspace, error);
    *accepting = aut_condition_holds(&disjunct->condition, marks);
    while (!*accepting && !is_forced) {
        avoided = aut_disjunct_avoid(disjunct, marks, present, &is_forced);
        if (avoided == 0)
            break;
        aut_subgraphs parts;
        graph_place place = graph_workspace_mark(workspace);
        *edges_visited += subgraph->edge_count;
        TRY(aut_subgraph_split(subgraph, avoided, workspace, &parts, error));
        for (uint32_t i = 0; i < parts.count && !*accepting; i++)
            TRY(find_accepting_cycle(disjunct, &parts.items[i], present, workspace, edges_visited,
                                     accepting, error));
        graph_workspace_release(workspace, place);
        present |= avoided;
    }
    return OPAC_OK;
}

opac_status aut_find_accepting_sccs(const aut_graph *graph, graph_part part,
                                    const aut_condition *condition, graph_workspace *workspace,
                                    aut_scc_info *info, opac_error *error)
{
    aut_subgraphs subgraphs = {0};
    aut_disjuncts disjuncts = {0};
    info->edges_visited = graph->process.choice_count;
    TRY(graph_scc_find(&graph->process, part, workspace, &info->scc, error));
    TRY(graph_take_set(workspace, info->scc.count, &info->accepting, error));
    graph_place place = graph_workspace_mark(workspace);
    opac_status status;
    TRY_OR(done, aut_graph_subgraphs(graph, part, &info->scc, workspace, &subgraphs, error));
    TRY_OR(done, aut_disjuncts_of(condition, workspace, &disjuncts, error));
    for (uint32_t i = 0; i < subgraphs.count; i++) {
        bool accepting = false;
        for (uint32_t j = 0; j < disjuncts.count && !accepting; j++)
            TRY_OR(done, find_accepting_cycle(&disjuncts.items[j], &subgraphs.items[i], 0,
                                              workspace, &info->edges_visited, &accepting, error));
        if (accepting)
            base_bitset_add(&info->accepting, subgraphs.items[i].component);
    }
done:
    graph_workspace_release(workspace, place);
    return status;
}

opac_status aut_find_live_states(const aut_graph *graph, graph_part part, const aut_scc_info *info,
                                 graph_workspace *workspace, base_bitset *live, opac_error *error)
{
    const graph_process *process = &graph->process;
    TRY(graph_take_set(workspace, process->state_count, live, error));
    graph_place place = graph_workspace_mark(workspace);
    uint8_t *alive = graph_take(workspace, info->scc.count, 1);
    graph_groups groups;
    if (alive == NULL)
        return base_fail_memory(error);
    TRY(graph_group_states(info->scc.component, process->state_count, info->scc.count, workspace,
                           &groups, error));
    /* Components are in reverse topological order: successors come first. */
    for (uint32_t i = 0; i < info->scc.count; i++) {
        alive[i] = base_bitset_has(&info->accepting, i);
        for (uint32_t j = groups.begin[i]; j < groups.begin[i + 1] && !alive[i]; j++) {
            uint32_t state = groups.state[j];
            for (uint32_t e = process->choice_begin[state]; e < process->choice_begin[state + 1];
                 e++) {
                uint32_t next = info->scc.component[process->target[e]];
                if (graph_part_has_choice(part, e) && next != GRAPH_NONE && alive[next])
                    alive[i] = 1;
            }
        }
        for (uint32_t j = groups.begin[i]; alive[i] && j < groups.begin[i + 1]; j++)
            base_bitset_add(live, groups.state[j]);
    }
    graph_workspace_release(workspace, place);
    return OPAC_OK;
}
