/* SPDX-License-Identifier: MIT */
/* Backward breadth-first search. `order` is the queue; ranks never decrease along it. */
#include "graph/attractor.h"

#include <assert.h>

typedef struct growth {
    const graph_process *process;
    graph_part part;
    const graph_reverse *reverse;
    base_bitset *states;
    uint32_t *rank, *order;
    uint32_t count;
    const graph_workspace *workspace;
} growth;

/* Counts the predecessors of a state as work; true if the search must stop. */
static inline bool spend(const growth *g, uint32_t t)
{
    return graph_spend(g->workspace, (uint64_t)1 + g->reverse->begin[t + 1] - g->reverse->begin[t]);
}

static inline void join(growth *g, uint32_t state, uint32_t rank)
{
    base_bitset_add(g->states, state);
    g->rank[state] = rank;
    g->order[g->count++] = state;
}

/* Allocates the result and adds the targets. */
static opac_status begin_growth(growth *g, const base_bitset *target, graph_workspace *workspace,
                                opac_error *error)
{
    assert(graph_part_fits(g->process, g->part) && graph_set_fits(g->process, target));
    uint32_t n = g->process->state_count;
    TRY(graph_take_set(workspace, n, g->states, error));
    g->rank = graph_take_u32(workspace, n);
    g->order = graph_take_u32(workspace, n);
    if (g->rank == NULL || g->order == NULL)
        return base_fail_memory(error);
    for (uint32_t s = 0; s < n; s++)
        g->rank[s] = GRAPH_NONE;
    for (size_t s = base_bitset_next(target, 0); s < n; s = base_bitset_next(target, s + 1))
        if (graph_part_has_state(g->part, (uint32_t)s))
            join(g, (uint32_t)s, 0);
    return OPAC_OK;
}

/*
 * Examines the predecessors of t. One that is not in the attractor joins it with the next rank. One that
 * joined because of another state of t's rank may get a choice with a lower number.
 */
static void grow(growth *g, uint32_t t, uint32_t *choice)
{
    const graph_reverse *reverse = g->reverse;
    uint32_t rank = g->rank[t] + 1;
    for (uint32_t j = reverse->begin[t]; j < reverse->begin[t + 1]; j++) {
        uint32_t c = reverse->choice[j], s = reverse->owner[c];
        if (!graph_part_has_choice(g->part, c) || g->rank[s] < rank)
            continue;
        if (g->rank[s] == rank) {
            choice[s] = c < choice[s] ? c : choice[s];
        } else if (graph_part_has_state(g->part, s)) {
            join(g, s, rank);
            choice[s] = c;
        }
    }
}

opac_status graph_attract_some(const graph_process *process, graph_part part,
                               const graph_reverse *reverse, const base_bitset *target,
                               graph_workspace *workspace, graph_attractor *attractor,
                               opac_error *error)
{
    growth g = {.process = process, .part = part, .reverse = reverse, .workspace = workspace};
    graph_place start = graph_workspace_mark(workspace);
    uint32_t *choice = graph_take_u32(workspace, process->state_count);
    opac_status status;
    g.states = &attractor->states;
    TRY_OR(done, choice != NULL ? OPAC_OK : base_fail_memory(error));
    TRY_OR(done, begin_growth(&g, target, workspace, error));
    for (uint32_t s = 0; s < process->state_count; s++)
        choice[s] = GRAPH_NONE;
    for (uint32_t next = 0; next < g.count && !spend(&g, g.order[next]); next++)
        grow(&g, g.order[next], choice);
    attractor->rank = g.rank;
    attractor->choice = choice;
    attractor->order = g.order;
    attractor->count = g.count;
    status = graph_workspace_check(workspace, error);
done:
    if (status != OPAC_OK)
        graph_workspace_release(workspace, start);
    return status;
}
