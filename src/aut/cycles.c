/* SPDX-License-Identifier: MIT */
/*
 * The search in a component follows the condition: a component whose marks all
 * together satisfy it is itself an accepting cycle. If not, marks have to be
 * avoided (goals.h): the edges that carry them go, and the rest falls into
 * pieces. A mark that is not forced to go is then tried as present, and pieces
 * without it need no second look.
 */
#include "aut/cycles.h"

#include "aut/goals.h"

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

opac_status aut_graph_pieces(const aut_graph *graph, graph_part part, const graph_scc *scc,
                             graph_workspace *workspace, aut_pieces *pieces, opac_error *error)
{
    return aut_pieces_of(graph->process.state_count, graph->process.choice_begin,
                         graph->process.target, graph->marks, part.choices, scc, workspace, pieces,
                         error);
}

/* ---- one question: is there an accepting cycle in a piece? ---- */

/*
 * Is there a cycle in a piece that reaches the goal and takes edges with each of
 * the marks in `present`? Sets *accepting if so. Each level of the recursion has
 * one mark less to avoid, so that its depth is at most the number of marks.
 */
static opac_status decide(const aut_goal *goal, const aut_piece *piece, uint64_t present,
                          graph_workspace *workspace, uint64_t *work, bool *accepting,
                          opac_error *error)
{
    uint64_t marks = piece->all_marks, avoided;
    bool is_forced = false;
    if ((present & ~marks) != 0)
        return OPAC_OK;
    if (graph_spend(workspace, aut_goal_cost(goal)))
        return graph_workspace_check(workspace, error);
    *accepting = aut_condition_holds(&goal->condition, marks);
    while (!*accepting && !is_forced) {
        avoided = aut_goal_avoid(goal, marks, present, &is_forced);
        if (avoided == 0)
            break;
        aut_pieces parts;
        graph_place place = graph_workspace_mark(workspace);
        *work += piece->edge_count;
        TRY(aut_piece_split(piece, avoided, workspace, &parts, error));
        for (uint32_t i = 0; i < parts.count && !*accepting; i++)
            TRY(decide(goal, &parts.items[i], present, workspace, work, accepting, error));
        graph_workspace_release(workspace, place);
        present |= avoided;
    }
    return OPAC_OK;
}

opac_status aut_cycles_scan(const aut_graph *graph, graph_part part, const aut_condition *condition,
                            graph_workspace *workspace, aut_scan *scan, opac_error *error)
{
    aut_pieces pieces = {0};
    aut_goals goals = {0};
    scan->work = graph->process.choice_count;
    TRY(graph_scc_find(&graph->process, part, workspace, &scan->scc, error));
    TRY(graph_take_set(workspace, scan->scc.count, &scan->accepting, error));
    graph_place place = graph_workspace_mark(workspace);
    opac_status status;
    TRY_OR(done, aut_graph_pieces(graph, part, &scan->scc, workspace, &pieces, error));
    TRY_OR(done, aut_goals_of(condition, workspace, &goals, error));
    for (uint32_t i = 0; i < pieces.count; i++) {
        bool accepting = false;
        for (uint32_t j = 0; j < goals.count && !accepting; j++)
            TRY_OR(done, decide(&goals.items[j], &pieces.items[i], 0, workspace, &scan->work,
                                &accepting, error));
        if (accepting)
            base_bitset_add(&scan->accepting, pieces.items[i].component);
    }
done:
    graph_workspace_release(workspace, place);
    return status;
}

opac_status aut_cycles_live(const aut_graph *graph, graph_part part, const aut_scan *scan,
                            graph_workspace *workspace, base_bitset *live, opac_error *error)
{
    const graph_process *process = &graph->process;
    TRY(graph_take_set(workspace, process->state_count, live, error));
    graph_place place = graph_workspace_mark(workspace);
    uint8_t *alive = graph_take(workspace, scan->scc.count, 1);
    graph_groups groups;
    if (alive == NULL)
        return base_fail_memory(error);
    TRY(graph_group_states(scan->scc.component, process->state_count, scan->scc.count, workspace,
                           &groups, error));
    /* Components come in an order in which successors are first. */
    for (uint32_t i = 0; i < scan->scc.count; i++) {
        alive[i] = base_bitset_has(&scan->accepting, i);
        for (uint32_t j = groups.begin[i]; j < groups.begin[i + 1] && !alive[i]; j++) {
            uint32_t state = groups.state[j];
            for (uint32_t e = process->choice_begin[state]; e < process->choice_begin[state + 1];
                 e++) {
                uint32_t next = scan->scc.component[process->target[e]];
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
