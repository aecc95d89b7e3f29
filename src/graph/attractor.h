/* SPDX-License-Identifier: MIT */
/*
 * Attractors: the states from which a set is reached with positive probability, if one wants to: the
 * least set X with target ⊆ X, and s ∈ X when some choice of s has a successor in X.
 *
 * The rank of a state is the length of a shortest path, 0 on the target. Linear in the edges that
 * lead into the attractor; 12 bytes a state.
 */
#ifndef GRAPH_ATTRACTOR_H
#define GRAPH_ATTRACTOR_H

#include "graph/part.h"
#include "graph/reverse.h"

typedef struct graph_attractor {
    base_bitset states;
    const uint32_t *rank;   /* by state; GRAPH_NONE outside the attractor */
    const uint32_t *choice; /* by state: the first choice that has a successor of the rank below;
                               GRAPH_NONE on targets and outside */
    const uint32_t *order;  /* the states by rank */
    uint32_t count;
} graph_attractor;

/*
 * Within a part: targets, choices and edges outside it are not there. The
 * reverse is that of the process, or of a part of it that contains this one.
 */
opac_status graph_attract_some(const graph_process *process, graph_part part,
                               const graph_reverse *reverse, const base_bitset *target,
                               graph_workspace *workspace, graph_attractor *attractor,
                               opac_error *error);

#endif
