/* SPDX-License-Identifier: MIT */
/*
 * Depth-first search for strongly connected components, used by scc.h and mec.h: Tarjan's algorithm in
 * the form of Pearce, "A space-efficient algorithm for finding strongly connected components",
 * Information Processing Letters 116 (2016), with an explicit stack. The search can run on many small
 * sets of states in turn, at a cost proportional to the size of each.
 *
 * The mark of a state is its status:
 *
 *     0                 not visited yet
 *     1 … visited       on a stack: its visit number while it is on the path of the search,
 *                       then the least visit number that it is known to reach
 *     n, n-1, …         done: in component 0, 1, … of this search (n = state_count)
 *     GRAPH_NONE        excluded from the search
 *
 * Visit numbers are reused when a component is done, so that the visit numbers in use and the components
 * together never exceed n. Hence the marks of done and excluded states are greater than every visit
 * number, and each edge needs one comparison.
 *
 * Two stacks share one array, because a state is on at most one of them:
 *
 *     stack   path of the search ──►        ◄── left, component not done yet
 *             0            depth                waiting                       n
 *
 * The stack stores all data for continuing in a state, so that returning to a state reads only its next
 * edges from the process. 16 bytes and one bit for each state (20 with a set of choices), besides the
 * marks.
 */
#ifndef GRAPH_SEARCH_H
#define GRAPH_SEARCH_H

#include "graph/part.h"

typedef struct graph_search {
    const graph_process *process;
    const base_bitset *choices; /* only their edges are followed; NULL: all */
    uint32_t *mark;             /* by state; initialised by the caller to 0 or GRAPH_NONE */
    uint32_t *size;             /* by component: number of its states; NULL if not wanted */
    uint32_t *stack;            /* this and the next four are unused between searches */
    uint32_t *edge, *edge_end;  /* by depth: range of the current edges that are left */
    uint32_t *low;              /* by depth: the least visit number known to be reached */
    uint32_t *choice;           /* by depth: the next choice; only with `choices` */
    base_bitset root;           /* by depth: low is its own visit number */
    uint32_t waiting;           /* beginning of the second stack */
    uint32_t visited;           /* number of states on either stack */
    uint32_t count;             /* number of components */
    base_work *work;            /* that of the workspace */
} graph_search;

/* Allocates the scratch of a search; the caller owns `mark` and `size`. */
opac_status graph_search_init(graph_search *search, const graph_process *process,
                              const base_bitset *choices, uint32_t *mark, uint32_t *size,
                              graph_workspace *workspace, opac_error *error);

/* Begins a new search, with components numbered from 0 again. Constant time. */
void graph_search_restart(graph_search *search);

/*
 * Visits all states that `start` reaches, unless it was visited before. If the work is stopped it returns
 * early with invalid marks; the caller must use graph_workspace_check.
 */
void graph_search_from(graph_search *search, uint32_t start);

/* The component of a state that is done. */
static inline uint32_t graph_search_component(const graph_search *search, uint32_t state)
{
    return search->process->state_count - search->mark[state];
}

#endif
