/* SPDX-License-Identifier: MIT */
/*
 * Breadth-first search. `order` is the queue. The visited states are a bitset, which stays in the cache
 * even for ten million states.
 */
#include "graph/reach.h"

#include <assert.h>

typedef struct sweep {
    const graph_process *process;
    graph_part part;
    base_bitset *states;
    uint32_t *order;
    uint32_t count;
    const graph_workspace *workspace;
} sweep;

static inline void meet(sweep *w, uint32_t state)
{
    if (base_bitset_has(w->states, state) || !graph_part_has_state(w->part, state))
        return;
    base_bitset_add(w->states, state);
    w->order[w->count++] = state;
}

/* Whether the search can still find states: not if the queue is empty or contains all states. */
static inline bool is_unfinished(const sweep *w, uint32_t next)
{
    return next < w->count && w->count < w->process->state_count;
}

/* Allocates the result and adds the states of `from`. */
static opac_status begin_sweep(sweep *w, const base_bitset *from, graph_workspace *workspace,
                               opac_error *error)
{
    assert(graph_part_fits(w->process, w->part) && graph_set_fits(w->process, from));
    uint32_t n = w->process->state_count;
    graph_place start = graph_workspace_mark(workspace);
    TRY(graph_take_set(workspace, n, w->states, error));
    w->order = graph_take_u32(workspace, n);
    if (w->order == NULL) {
        graph_workspace_release(workspace, start);
        return base_fail_memory(error);
    }
    for (size_t s = base_bitset_next(from, 0); s < n; s = base_bitset_next(from, s + 1))
        meet(w, (uint32_t)s);
    return OPAC_OK;
}

/* Sets the result; releases it and fails if the work was stopped. */
static opac_status end_sweep(const sweep *w, graph_place start, graph_workspace *workspace,
                             graph_reached *reached, opac_error *error)
{
    opac_status status = graph_workspace_check(workspace, error);
    if (status != OPAC_OK)
        graph_workspace_release(workspace, start);
    reached->order = w->order;
    reached->count = w->count;
    return status;
}

static inline void meet_targets(sweep *w, uint32_t edge, uint32_t end)
{
    for (; edge < end; edge++)
        meet(w, w->process->target[edge]);
}

static void expand_forward(sweep *w, uint32_t state)
{
    const graph_process *process = w->process;
    uint32_t c = process->choice_begin[state], end = process->choice_begin[state + 1];
    if (graph_spend(w->workspace, 1 + graph_state_edges(process, state)))
        return;
    if (w->part.choices == NULL) {
        meet_targets(w, process->edge_begin[c], process->edge_begin[end]);
        return;
    }
    for (; c < end; c++)
        if (base_bitset_has(w->part.choices, c))
            meet_targets(w, process->edge_begin[c], process->edge_begin[c + 1]);
}

opac_status graph_reach_forward(const graph_process *process, graph_part part,
                                const base_bitset *from, uint32_t steps, graph_workspace *workspace,
                                graph_reached *reached, opac_error *error)
{
    sweep w = {
        .process = process, .part = part, .states = &reached->states, .workspace = workspace};
    graph_place start = graph_workspace_mark(workspace);
    TRY(begin_sweep(&w, from, workspace, error));
    uint32_t next = 0;
    for (uint32_t step = 0; step < steps && is_unfinished(&w, next); step++)
        for (uint32_t level_end = w.count; next < level_end; next++)
            expand_forward(&w, w.order[next]);
    return end_sweep(&w, start, workspace, reached, error);
}

opac_status graph_reach_backward(const graph_process *process, graph_part part,
                                 const graph_reverse *reverse, const base_bitset *to,
                                 graph_workspace *workspace, graph_reached *reached,
                                 opac_error *error)
{
    sweep w = {
        .process = process, .part = part, .states = &reached->states, .workspace = workspace};
    graph_place start = graph_workspace_mark(workspace);
    TRY(begin_sweep(&w, to, workspace, error));
    for (uint32_t next = 0; is_unfinished(&w, next); next++) {
        uint32_t t = w.order[next];
        if (graph_spend(workspace, (uint64_t)1 + reverse->begin[t + 1] - reverse->begin[t]))
            break;
        for (uint32_t j = reverse->begin[t]; j < reverse->begin[t + 1]; j++)
            if (graph_part_has_choice(part, reverse->choice[j]))
                meet(&w, reverse->owner[reverse->choice[j]]);
    }
    return end_sweep(&w, start, workspace, reached, error);
}
