/* SPDX-License-Identifier: MIT */
/*
 * The depth-first search behind scc.h and mec.h: Tarjan's algorithm in the
 * form of Pearce, "A space-efficient algorithm for finding strongly connected
 * components", Information Processing Letters 116 (2016), with the stack made
 * explicit. The search can be run on many small sets of states one after the
 * other, at a cost proportional to each.
 *
 * One number a state, its mark, says all:
 *
 *     0                 to be visited
 *     1 … visited       on a stack: its visit number while on the path of the search,
 *                       then the least visit number that it was seen to reach
 *     n, n-1, …         done; component 0, 1, … of this search (n = state_count)
 *     GRAPH_NONE        not part of the search
 *
 * Visit numbers are given back when a component is done, so that those in use
 * and the components together never exceed n: "done" and "not part" compare
 * greater than every visit number, and one comparison per edge decides.
 *
 * Two stacks share one array, since a state is on one of them at a time:
 *
 *     stack   path of the search ──►        ◄── left behind, component not done
 *             0            depth                waiting                       n
 *
 * What is needed to go on in a state lies on the stack, so that coming back to
 * it touches nothing of the process but its next edges. 16 bytes and a bit a
 * state (20 with a set of choices), besides the marks.
 */
#ifndef GRAPH_SEARCH_H
#define GRAPH_SEARCH_H

#include "graph/part.h"

typedef struct graph_search {
    const graph_process *process;
    const base_bitset *choices; /* the edges of others are not followed; NULL: all */
    uint32_t *mark;             /* by state; set by the caller to 0 or GRAPH_NONE */
    uint32_t *size;             /* by component: its states; NULL: not wanted */
    uint32_t *stack;            /* this and the next four are free between searches */
    uint32_t *edge, *edge_end;  /* by depth: the edges in hand that are left */
    uint32_t *low;              /* by depth: the least visit number known to be reached */
    uint32_t *choice;           /* by depth: the next choice; only with `choices` */
    base_bitset root;           /* by depth: low is its own visit number */
    uint32_t waiting;           /* where the second stack begins */
    uint32_t visited;           /* states on either stack */
    uint32_t count;             /* components */
    base_work *work;            /* of the workspace */
} graph_search;

/* Takes the scratch of a search; `mark` and `size` are the caller's. */
opac_status graph_search_init(graph_search *search, const graph_process *process,
                              const base_bitset *choices, uint32_t *mark, uint32_t *size,
                              graph_workspace *workspace, opac_error *error);

/* Begins a new search: components count from 0 again. Constant time. */
void graph_search_restart(graph_search *search);

/*
 * Visits all that can be reached from `start`, unless it was visited before. Once the work is
 * stopped it returns early, and the marks mean nothing: see graph_workspace_check.
 */
void graph_search_from(graph_search *search, uint32_t start);

/* The component of a state that is done. */
static inline uint32_t graph_search_component(const graph_search *search, uint32_t state)
{
    return search->process->state_count - search->mark[state];
}

#endif
