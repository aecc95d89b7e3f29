/* SPDX-License-Identifier: MIT */
#include "aut/subgraphs.h"

/* The graph that subgraphs are extracted from. state_numbers and edge_numbers translate its numbers into
 * those of the whole graph; NULL if they are the same. */
typedef struct source_graph {
    uint32_t states;
    const uint32_t *begin, *target;
    const uint64_t *marks;
    const uint32_t *state_numbers, *edge_numbers;
    const base_bitset *edges;
    uint64_t without;
    const graph_scc *scc;
} source_graph;

static bool is_inside(const source_graph *from, uint32_t component, uint32_t edge)
{
    return from->scc->component[from->target[edge]] == component &&
           (from->marks[edge] & from->without) == 0 &&
           (from->edges == NULL || base_bitset_has(from->edges, edge));
}

/* The arrays that all subgraphs share, and how many entries are used. */
typedef struct subgraph_arrays {
    uint32_t *state, *begin, *target, *edge;
    uint64_t *marks;
    uint32_t states, begins, edges;
} subgraph_arrays;

/* Appends the subgraph of one component. Returns false, and appends nothing, if it has no edge. */
static bool extract(const source_graph *from, const graph_groups *groups,
                    const uint32_t *own_number, uint32_t component, subgraph_arrays *into,
                    aut_subgraph *subgraph)
{
    uint32_t first = groups->begin[component], last = groups->begin[component + 1];
    uint32_t *begin = into->begin + into->begins, count = 0;
    *subgraph = (aut_subgraph){.state_count = last - first,
                               .state = into->state + into->states,
                               .begin = begin,
                               .target = into->target + into->edges,
                               .edge = into->edge + into->edges,
                               .marks = into->marks + into->edges,
                               .component = component};
    for (uint32_t i = first; i < last; i++) {
        uint32_t s = groups->state[i];
        into->state[into->states + i - first] =
            from->state_numbers != NULL ? from->state_numbers[s] : s;
        begin[i - first] = count;
        for (uint32_t e = from->begin[s]; e < from->begin[s + 1]; e++) {
            if (!is_inside(from, component, e))
                continue;
            into->target[into->edges + count] = own_number[from->target[e]];
            into->edge[into->edges + count] =
                from->edge_numbers != NULL ? from->edge_numbers[e] : e;
            into->marks[into->edges + count++] = from->marks[e];
            subgraph->all_marks |= from->marks[e];
        }
    }
    begin[last - first] = count;
    subgraph->edge_count = count;
    if (count == 0)
        return false;
    into->states += last - first;
    into->begins += last - first + 1;
    into->edges += count;
    return true;
}

static opac_status extract_all(const source_graph *from, graph_workspace *workspace,
                               aut_subgraphs *subgraphs, opac_error *error)
{
    uint32_t components = from->scc->count, edges = from->begin[from->states];
    subgraph_arrays into = {
        .state = graph_take_u32(workspace, from->states),
        .begin = graph_take_u32(workspace, (size_t)from->states + components),
        .target = graph_take_u32(workspace, edges),
        .edge = graph_take_u32(workspace, edges),
        .marks = graph_take(workspace, edges, sizeof(uint64_t)),
    };
    subgraphs->count = 0;
    subgraphs->items = graph_take(workspace, components, sizeof *subgraphs->items);
    if (into.state == NULL || into.begin == NULL || into.target == NULL || into.edge == NULL ||
        into.marks == NULL || subgraphs->items == NULL)
        return base_fail_memory(error);
    graph_place scratch = graph_workspace_mark(workspace);
    graph_groups groups;
    uint32_t *own_number = graph_take_u32(workspace, from->states);
    if (own_number == NULL)
        return base_fail_memory(error);
    TRY(graph_group_states(from->scc->component, from->states, components, workspace, &groups,
                           error));
    for (uint32_t c = 0; c < components; c++)
        for (uint32_t i = groups.begin[c]; i < groups.begin[c + 1]; i++)
            own_number[groups.state[i]] = i - groups.begin[c];
    for (uint32_t c = 0; c < components; c++)
        if (extract(from, &groups, own_number, c, &into, &subgraphs->items[subgraphs->count]))
            subgraphs->count++;
    graph_workspace_release(workspace, scratch);
    return OPAC_OK;
}

opac_status aut_subgraphs_extract(uint32_t states, const uint32_t *begin, const uint32_t *target,
                                  const uint64_t *marks, const base_bitset *edges,
                                  const graph_scc *scc, graph_workspace *workspace,
                                  aut_subgraphs *subgraphs, opac_error *error)
{
    source_graph from = {.states = states,
                         .begin = begin,
                         .target = target,
                         .marks = marks,
                         .edges = edges,
                         .scc = scc};
    return extract_all(&from, workspace, subgraphs, error);
}

/* Finds the components of the subgraph without the edges that carry a mark of `without`. */
static opac_status find_components(const aut_subgraph *subgraph, uint64_t without,
                                   graph_workspace *workspace, graph_scc *scc, opac_error *error)
{
    uint32_t *edge_begin = graph_take_u32(workspace, (size_t)subgraph->edge_count + 1);
    base_bitset kept;
    graph_process process;
    if (edge_begin == NULL)
        return base_fail_memory(error);
    TRY(graph_take_set(workspace, subgraph->edge_count, &kept, error));
    for (uint32_t i = 0; i <= subgraph->edge_count; i++)
        edge_begin[i] = i;
    for (uint32_t i = 0; i < subgraph->edge_count; i++)
        if ((subgraph->marks[i] & without) == 0)
            base_bitset_add(&kept, i);
    TRY(graph_process_borrow(subgraph->state_count, subgraph->edge_count, subgraph->edge_count,
                             subgraph->begin, edge_begin, subgraph->target, NULL, &process, error));
    return graph_scc_find(&process, (graph_part){.choices = &kept}, workspace, scc, error);
}

opac_status aut_subgraph_split(const aut_subgraph *subgraph, uint64_t without,
                               graph_workspace *workspace, aut_subgraphs *subgraphs,
                               opac_error *error)
{
    graph_scc scc;
    source_graph from = {.states = subgraph->state_count,
                         .begin = subgraph->begin,
                         .target = subgraph->target,
                         .marks = subgraph->marks,
                         .state_numbers = subgraph->state,
                         .edge_numbers = subgraph->edge,
                         .without = without,
                         .scc = &scc};
    TRY(find_components(subgraph, without, workspace, &scc, error));
    return extract_all(&from, workspace, subgraphs, error);
}
