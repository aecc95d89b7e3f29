/* SPDX-License-Identifier: MIT */
/*
 * The reverse index of a process: for each state the choices that have it as a successor, each once and
 * ascending, and for each choice the state that owns it.
 *
 *     begin     0       2  3        state t is a successor of the choices
 *               │       │  │        choice[begin[t]] … choice[begin[t+1] - 1]
 *     choice    0   4   1
 *     owner     0 0 0 1 2           by choice
 *
 * Two passes over the edges of the part: linear time. 4 bytes for each edge, choice and state, and 8 bytes
 * of scratch for each state.
 */
#ifndef GRAPH_REVERSE_H
#define GRAPH_REVERSE_H

#include "graph/part.h"

typedef struct graph_reverse {
    const uint32_t *begin;  /* state_count + 1 items */
    const uint32_t *choice; /* begin[state_count] items */
    const uint32_t *owner;  /* choice_count items */
} graph_reverse;

/* Builds the index of the edges inside the part, in the workspace. `owner` covers all choices. */
opac_status graph_reverse_build(const graph_process *process, graph_part part,
                                graph_workspace *workspace, graph_reverse *reverse,
                                opac_error *error);

#endif
