/* SPDX-License-Identifier: MIT */
/*
 * Forward and backward reachability by the edges of a part. Breadth-first search, linear in the edges
 * visited; 4 bytes and one bit for each state. The result includes the initial states that lie in the
 * part. Choices and edges outside the part are not followed. For reachability under a policy, use the
 * part that consists of its choices.
 */
#ifndef GRAPH_REACH_H
#define GRAPH_REACH_H

#include "graph/part.h"
#include "graph/reverse.h"

typedef struct graph_reached {
    base_bitset states;
    const uint32_t
        *order; /* the same states by distance; the initial states come first, ascending */
    uint32_t count;
} graph_reached;

/* The states that `from` reaches in at most `steps` steps; GRAPH_NONE: in any number of steps. */
opac_status graph_reach_forward(const graph_process *process, graph_part part,
                                const base_bitset *from, uint32_t steps, graph_workspace *workspace,
                                graph_reached *reached, opac_error *error);

/* The states that can reach `to`. `reverse` is that of the process, or of a part of it that contains this
 * part. */
opac_status graph_reach_backward(const graph_process *process, graph_part part,
                                 const graph_reverse *reverse, const base_bitset *to,
                                 graph_workspace *workspace, graph_reached *reached,
                                 opac_error *error);

#endif
