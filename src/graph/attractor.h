/* SPDX-License-Identifier: MIT */
/*
 * Computes attractors: the states from which some policy reaches a target set with positive probability.
 * This is the least set X with target ⊆ X, and s ∈ X if some choice of s has a successor in X.
 *
 * The rank of a state is the length of a shortest path to the target, 0 on the target. Linear in the
 * edges that lead into the attractor; 12 bytes for each state.
 */
#ifndef GRAPH_ATTRACTOR_H
#define GRAPH_ATTRACTOR_H

#include "graph/part.h"
#include "graph/reverse.h"

typedef struct graph_attractor {
    base_bitset states;
    const uint32_t *rank;   /* by state; GRAPH_NONE outside the attractor */
    const uint32_t *choice; /* by state: the first choice with a successor of the next lower rank;
                               GRAPH_NONE on targets and outside the attractor */
    const uint32_t *order;  /* the states of the attractor, by ascending rank */
    uint32_t count;
} graph_attractor;

/*
 * Ignores targets, choices and edges outside the part. `reverse` is that of the process, or of a part of
 * it that contains this part.
 */
opac_status graph_attract_some(const graph_process *process, graph_part part,
                               const graph_reverse *reverse, const base_bitset *target,
                               graph_workspace *workspace, graph_attractor *attractor,
                               opac_error *error);

#endif
