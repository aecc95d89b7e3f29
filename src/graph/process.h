/* SPDX-License-Identifier: MIT */
/*
 * The Markov decision process on which all algorithms of the project work, as compressed sparse rows
 * (CSR). A state has choices, a choice has edges, an edge has a target and possibly a probability:
 *
 *     choice_begin   0     2  3     3          state s owns the choices
 *                    │     │  │     │          choice_begin[s] … choice_begin[s+1] - 1
 *     edge_begin     0  1     3  4             choice c owns the edges
 *                    │  │     │  │             edge_begin[c] … edge_begin[c+1] - 1
 *     target         1  0  2  2                (state 2 has no choice: a deadlock)
 *     prob           1  .5 .5 1
 *
 * States, choices and edges are numbered by uint32_t. There are at most GRAPH_LARGEST of each, so that
 * GRAPH_NONE can represent "none". The edges of a state are contiguous: an algorithm that ignores
 * choices iterates from edge_begin[choice_begin[s]] to edge_begin[choice_begin[s+1]]. A directed graph
 * is a process with one choice in each state.
 *
 * A state may have no choices: a run then stays in it forever. A choice has at least one edge. A target
 * may occur more than once in a choice.
 */
#ifndef GRAPH_PROCESS_H
#define GRAPH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define GRAPH_NONE    UINT32_MAX
#define GRAPH_LARGEST (UINT32_MAX - 1)

typedef struct graph_process {
    uint32_t state_count, choice_count, edge_count;
    const uint32_t *choice_begin; /* state_count + 1 items */
    const uint32_t *edge_begin;   /* choice_count + 1 items */
    const uint32_t *target;       /* edge_count items */
    const double *prob;           /* edge_count items; NULL if only the graph is known */
    bool owned;                   /* whether graph_process_fini frees the arrays */
} graph_process;

/*
 * Makes a process that borrows the arrays; prob may be NULL. Fails if a count exceeds GRAPH_LARGEST. Does
 * not read the arrays.
 */
opac_status graph_process_borrow(size_t state_count, size_t choice_count, size_t edge_count,
                                 const uint32_t *choice_begin, const uint32_t *edge_begin,
                                 const uint32_t *target, const double *prob, graph_process *process,
                                 opac_error *error);

/* Frees the arrays if the process owns them. The process may be zeroed. */
void graph_process_fini(graph_process *process);

/* The number of edges of all choices of a state. */
static inline uint64_t graph_state_edges(const graph_process *process, uint32_t state)
{
    return process->edge_begin[process->choice_begin[state + 1]] -
           process->edge_begin[process->choice_begin[state]];
}

#endif
