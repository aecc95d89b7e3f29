/* SPDX-License-Identifier: MIT */
/*
 * Pearce's algorithm. A `cursor`, which the compiler keeps in registers, holds the current state; the
 * stack arrays hold its predecessors on the path. Every edge is examined once.
 */
#include "graph/search.h"

typedef struct cursor {
    uint32_t state;
    uint32_t low;                /* the least visit number that the state is known to reach */
    uint32_t edge, edge_end;     /* range of the current edges that are left */
    uint32_t choice, choice_end; /* range of the choices whose edges were not current yet */
    bool root;                   /* low is the visit number of the state */
} cursor;

opac_status graph_search_init(graph_search *search, const graph_process *process,
                              const base_bitset *choices, uint32_t *mark, uint32_t *size,
                              graph_workspace *workspace, opac_error *error)
{
    size_t n = process->state_count;
    *search = (graph_search){
        .process = process,
        .choices = choices,
        .mark = mark,
        .size = size,
        .work = workspace->work,
        .stack = graph_take_u32(workspace, n),
        .edge = graph_take_u32(workspace, n),
        .edge_end = graph_take_u32(workspace, n),
        .low = graph_take_u32(workspace, n),
        .choice = choices != NULL ? graph_take_u32(workspace, n) : NULL,
    };
    if (search->stack == NULL || search->edge == NULL || search->edge_end == NULL ||
        search->low == NULL || (choices != NULL && search->choice == NULL))
        return base_fail_memory(error);
    graph_search_restart(search);
    return graph_take_set(workspace, n, &search->root, error);
}

void graph_search_restart(graph_search *search)
{
    search->waiting = search->process->state_count;
    search->visited = 0;
    search->count = 0;
}

/* Makes the edges of the next choice current; without a set of choices, all edges of the state. */
static inline bool next_edges(const graph_search *search, cursor *at)
{
    const uint32_t *edge_begin = search->process->edge_begin;
    if (search->choices != NULL)
        while (at->choice < at->choice_end && !base_bitset_has(search->choices, at->choice))
            at->choice++;
    if (at->choice == at->choice_end)
        return false;
    at->edge = edge_begin[at->choice];
    at->choice = search->choices != NULL ? at->choice + 1 : at->choice_end;
    at->edge_end = edge_begin[at->choice];
    return true;
}

static inline void enter(graph_search *search, cursor *at, uint32_t state)
{
    const uint32_t *choice_begin = search->process->choice_begin;
    search->mark[state] = ++search->visited;
    *at = (cursor){
        .state = state,
        .low = search->visited,
        .choice = choice_begin[state],
        .choice_end = choice_begin[state + 1],
        .root = true,
    };
}

static inline void save(graph_search *search, const cursor *at, uint32_t depth)
{
    search->stack[depth] = at->state;
    search->edge[depth] = at->edge;
    search->edge_end[depth] = at->edge_end;
    search->low[depth] = at->low;
    if (search->choices != NULL)
        search->choice[depth] = at->choice;
    if (at->root)
        base_bitset_add(&search->root, depth);
    else
        base_bitset_remove(&search->root, depth);
}

/* Returns to the state saved at `depth` from a successor with this mark. */
static inline void resume(const graph_search *search, cursor *at, uint32_t depth, uint32_t mark)
{
    at->state = search->stack[depth];
    at->edge = search->edge[depth];
    at->edge_end = search->edge_end[depth];
    at->low = search->low[depth];
    at->root = base_bitset_has(&search->root, depth);
    if (search->choices != NULL) {
        at->choice = search->choice[depth];
        at->choice_end = search->process->choice_begin[at->state + 1];
    } else {
        at->choice = at->choice_end = 0; /* all edges were current */
    }
    if (mark < at->low) {
        at->low = mark;
        at->root = false;
    }
}

/* Examines the current edges up to one to an unvisited state; false if there is none. */
static inline bool follow_edges(const graph_search *search, cursor *at)
{
    const uint32_t *target = search->process->target;
    const uint32_t *mark = search->mark;
    uint32_t low = at->low, edge = at->edge, end = at->edge_end;
    bool found = false;
    for (; edge < end; edge++) {
        uint32_t seen = mark[target[edge]];
        if (seen < low) {
            found = seen == 0;
            if (found)
                break;
            low = seen;
        }
    }
    at->root = at->root && low == at->low;
    at->low = low;
    at->edge = edge;
    return found;
}

/* Finishes the current state: completes its component, or moves it to the second stack. Returns its mark. */
static inline uint32_t leave(graph_search *search, const cursor *at)
{
    if (!at->root) {
        search->mark[at->state] = at->low;
        search->stack[--search->waiting] = at->state;
        return at->low;
    }
    uint32_t n = search->process->state_count, mark = n - search->count, size = 1;
    search->mark[at->state] = mark;
    for (; search->waiting < n; search->waiting++, size++) {
        uint32_t other = search->stack[search->waiting];
        if (search->mark[other] < at->low)
            break;
        search->mark[other] = mark;
    }
    if (search->size != NULL)
        search->size[search->count] = size;
    search->visited -= size;
    search->count++;
    return mark;
}

void graph_search_from(graph_search *search, uint32_t start)
{
    if (search->mark[start] != 0)
        return;
    uint32_t depth = 0;
    cursor at;
    enter(search, &at, start);
    for (;;) {
        uint32_t before = at.edge;
        bool found = follow_edges(search, &at);
        if (base_work_spend(search->work, (uint64_t)1 + at.edge - before))
            return;
        if (found) {
            uint32_t next = search->process->target[at.edge++];
            save(search, &at, depth++);
            enter(search, &at, next);
        } else if (!next_edges(search, &at)) {
            uint32_t mark = leave(search, &at);
            if (depth == 0)
                return;
            resume(search, &at, --depth, mark);
        }
    }
}
