/* SPDX-License-Identifier: MIT */
/*
 * Which states can be reached, and from which, by edges of a part: breadth
 * first, linear in the edges met, 4 bytes and a bit a state. States of the part
 * in `from` belong to the result; choices of others and edges out of the part
 * are not followed. Reachability under a policy is reachability by its choices
 * as a part.
 */
#ifndef GRAPH_REACH_H
#define GRAPH_REACH_H

#include "graph/part.h"
#include "graph/reverse.h"

typedef struct graph_reached {
    base_bitset states;
    const uint32_t *order; /* the same states by distance; states of `from` ascending, first */
    uint32_t count;
} graph_reached;

/* The states that can be reached in at most `steps` steps; GRAPH_NONE: in any number. */
opac_status graph_reach_forward(const graph_process *process, graph_part part,
                                const base_bitset *from, uint32_t steps, graph_workspace *workspace,
                                graph_reached *reached, opac_error *error);

/* The states that can reach `to`. The reverse is that of the process, or of a part of it that
 * contains this one. */
opac_status graph_reach_backward(const graph_process *process, graph_part part,
                                 const graph_reverse *reverse, const base_bitset *to,
                                 graph_workspace *workspace, graph_reached *reached,
                                 opac_error *error);

#endif
