/* SPDX-License-Identifier: MIT */
/*
 * The reverse of a process: for each state the choices that can lead into it,
 * each once and ascending, and for each choice the state that owns it.
 *
 *     begin     0       2  3        state t is a successor of the choices
 *               │       │  │        choice[begin[t]] … choice[begin[t+1] - 1]
 *     choice    0   4   1
 *     owner     0 0 0 1 2           by choice
 *
 * Two counting passes over the edges of the part: linear time; 4 bytes an edge,
 * a choice and a state, and 8 bytes a state of scratch.
 */
#ifndef GRAPH_REVERSE_H
#define GRAPH_REVERSE_H

#include "graph/part.h"

typedef struct graph_reverse {
    const uint32_t *begin;  /* state_count + 1 */
    const uint32_t *choice; /* begin[state_count] */
    const uint32_t *owner;  /* choice_count */
} graph_reverse;

/* Lists the edges inside the part only; owner is complete. Lives in the workspace. */
opac_status graph_reverse_build(const graph_process *process, graph_part part,
                                graph_workspace *workspace, graph_reverse *reverse,
                                opac_error *error);

#endif
