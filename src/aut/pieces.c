/* SPDX-License-Identifier: MIT */
#include "aut/pieces.h"

/* A graph to be cut; NULL names mean that states and edges are called by their numbers. */
typedef struct sheet {
    uint32_t states;
    const uint32_t *begin, *target;
    const uint64_t *marks;
    const uint32_t *state_name, *edge_name;
    const base_bitset *edges;
    uint64_t without;
    const graph_scc *scc;
} sheet;

static bool is_inside(const sheet *from, uint32_t component, uint32_t edge)
{
    return from->scc->component[from->target[edge]] == component &&
           (from->marks[edge] & from->without) == 0 &&
           (from->edges == NULL || base_bitset_has(from->edges, edge));
}

/* The arrays that all pieces share, and how far they are filled. */
typedef struct cutting {
    uint32_t *state, *begin, *target, *edge;
    uint64_t *marks;
    uint32_t states, begins, edges;
} cutting;

/* Fills the arrays with one component; gives the room back when it has no edge. */
static bool cut(const sheet *from, const graph_groups *groups, const uint32_t *own_number,
                uint32_t component, cutting *into, aut_piece *piece)
{
    uint32_t first = groups->begin[component], last = groups->begin[component + 1];
    uint32_t *begin = into->begin + into->begins, count = 0;
    *piece = (aut_piece){.state_count = last - first,
                         .state = into->state + into->states,
                         .begin = begin,
                         .target = into->target + into->edges,
                         .edge = into->edge + into->edges,
                         .marks = into->marks + into->edges,
                         .component = component};
    for (uint32_t i = first; i < last; i++) {
        uint32_t s = groups->state[i];
        into->state[into->states + i - first] = from->state_name != NULL ? from->state_name[s] : s;
        begin[i - first] = count;
        for (uint32_t e = from->begin[s]; e < from->begin[s + 1]; e++) {
            if (!is_inside(from, component, e))
                continue;
            into->target[into->edges + count] = own_number[from->target[e]];
            into->edge[into->edges + count] = from->edge_name != NULL ? from->edge_name[e] : e;
            into->marks[into->edges + count++] = from->marks[e];
            piece->all_marks |= from->marks[e];
        }
    }
    begin[last - first] = count;
    piece->edge_count = count;
    if (count == 0)
        return false;
    into->states += last - first;
    into->begins += last - first + 1;
    into->edges += count;
    return true;
}

static opac_status cut_all(const sheet *from, graph_workspace *workspace, aut_pieces *pieces,
                           opac_error *error)
{
    uint32_t components = from->scc->count, edges = from->begin[from->states];
    cutting into = {
        .state = graph_take_u32(workspace, from->states),
        .begin = graph_take_u32(workspace, (size_t)from->states + components),
        .target = graph_take_u32(workspace, edges),
        .edge = graph_take_u32(workspace, edges),
        .marks = graph_take(workspace, edges, sizeof(uint64_t)),
    };
    pieces->count = 0;
    pieces->items = graph_take(workspace, components, sizeof *pieces->items);
    if (into.state == NULL || into.begin == NULL || into.target == NULL || into.edge == NULL ||
        into.marks == NULL || pieces->items == NULL)
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
        if (cut(from, &groups, own_number, c, &into, &pieces->items[pieces->count]))
            pieces->count++;
    graph_workspace_release(workspace, scratch);
    return OPAC_OK;
}

opac_status aut_pieces_of(uint32_t states, const uint32_t *begin, const uint32_t *target,
                          const uint64_t *marks, const base_bitset *edges, const graph_scc *scc,
                          graph_workspace *workspace, aut_pieces *pieces, opac_error *error)
{
    sheet from = {.states = states,
                  .begin = begin,
                  .target = target,
                  .marks = marks,
                  .edges = edges,
                  .scc = scc};
    return cut_all(&from, workspace, pieces, error);
}

/* The components without the edges that carry one of the marks. */
static opac_status find_components(const aut_piece *piece, uint64_t without,
                                   graph_workspace *workspace, graph_scc *scc, opac_error *error)
{
    uint32_t *edge_begin = graph_take_u32(workspace, (size_t)piece->edge_count + 1);
    base_bitset kept;
    graph_process process;
    if (edge_begin == NULL)
        return base_fail_memory(error);
    TRY(graph_take_set(workspace, piece->edge_count, &kept, error));
    for (uint32_t i = 0; i <= piece->edge_count; i++)
        edge_begin[i] = i;
    for (uint32_t i = 0; i < piece->edge_count; i++)
        if ((piece->marks[i] & without) == 0)
            base_bitset_add(&kept, i);
    TRY(graph_process_borrow(piece->state_count, piece->edge_count, piece->edge_count, piece->begin,
                             edge_begin, piece->target, NULL, &process, error));
    return graph_scc_find(&process, (graph_part){.choices = &kept}, workspace, scc, error);
}

opac_status aut_piece_split(const aut_piece *piece, uint64_t without, graph_workspace *workspace,
                            aut_pieces *pieces, opac_error *error)
{
    graph_scc scc;
    sheet from = {.states = piece->state_count,
                  .begin = piece->begin,
                  .target = piece->target,
                  .marks = piece->marks,
                  .state_name = piece->state,
                  .edge_name = piece->edge,
                  .without = without,
                  .scc = &scc};
    TRY(find_components(piece, without, workspace, &scc, error));
    return cut_all(&from, workspace, pieces, error);
}
