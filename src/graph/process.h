/* SPDX-License-Identifier: MIT */
/*
 * The decision process that every algorithm of the project works on, in
 * compressed rows (CSR). A state has choices, a choice has edges, an edge has a
 * target and perhaps a probability:
 *
 *     choice_begin   0     2  3     3          state s owns the choices
 *                    │     │  │     │          choice_begin[s] … choice_begin[s+1] - 1
 *     edge_begin     0  1     3  4             choice c owns the edges
 *                    │  │     │  │             edge_begin[c] … edge_begin[c+1] - 1
 *     target         1  0  2  2                (state 2 has no choice: a deadlock)
 *     prob           1  .5 .5 1
 *
 * States, choices and edges are numbered by uint32_t, at most GRAPH_LARGEST of
 * each, so that GRAPH_NONE is free to say "none". The edges of a state lie side
 * by side, whatever its choices: an algorithm that ignores choices walks from
 * edge_begin[choice_begin[s]] to edge_begin[choice_begin[s+1]] in one go. A
 * plain directed graph is a process with one choice a state.
 *
 * A state without choices is allowed: a run stays there for ever. A choice
 * without edges is not. The same target may occur twice in a choice.
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
    const uint32_t *choice_begin; /* state_count + 1 */
    const uint32_t *edge_begin;   /* choice_count + 1 */
    const uint32_t *target;       /* edge_count */
    const double *prob;           /* edge_count; NULL when only the graph is known */
    bool owned;                   /* the arrays are released by graph_process_fini */
} graph_process;

/*
 * A process over arrays that somebody else keeps; the counts are those of the
 * arrays, and prob may be NULL. Refuses counts beyond GRAPH_LARGEST; looks at
 * no array.
 */
opac_status graph_process_borrow(size_t state_count, size_t choice_count, size_t edge_count,
                                 const uint32_t *choice_begin, const uint32_t *edge_begin,
                                 const uint32_t *target, const double *prob, graph_process *process,
                                 opac_error *error);

/* Releases what the process owns; one that is borrowed or all zeros owns nothing. */
void graph_process_fini(graph_process *process);

/* The number of edges of all choices of a state. */
static inline uint64_t graph_state_edges(const graph_process *process, uint32_t state)
{
    return process->edge_begin[process->choice_begin[state + 1]] -
           process->edge_begin[process->choice_begin[state]];
}

#endif
