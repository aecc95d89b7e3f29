/* SPDX-License-Identifier: MIT */
/*
 * Computes the states whose maximal probability of reaching a target is 0, and those where it is 1, with
 * a policy for the latter. Uses the graph only, no probabilities (de Alfaro, Formal Verification of
 * Probabilistic Systems, 1997; Baier and Katoen, Principles of Model Checking, 2008, section 10.6.1;
 * docs/theory.md, Lemma 4).
 *
 *     maximum = 0   no path to the target
 *     maximum = 1   largest set U, including the target, in which every state has a path to the target
 *                   by choices whose successors all lie in U
 *
 * A run ends when it reaches the target, so the choices of target states do not matter. A run stays in
 * a state without choices. Within a part, the probability is that of "in the part until the target": a
 * run that leaves the part never reaches the target, and choices outside the part do not exist.
 *
 * Both sets take linear time, because the maximal end components are given: see almost_sure.c. Uses
 * 8 bytes of scratch for each state.
 */
#ifndef GRAPH_ALMOST_SURE_H
#define GRAPH_ALMOST_SURE_H

#include "graph/mec.h"
#include "graph/part.h"
#include "graph/reverse.h"

typedef struct graph_max_reached {
    base_bitset zero, one; /* states of the part; targets of the part are in `one` */
    base_bitset safe;      /* choices of states of `one` whose successors all lie in `one` */
    const uint32_t
        *choice;          /* by state: for states of `one` outside the target, the first safe choice
                               with a successor of the next lower rank; otherwise GRAPH_NONE */
    const uint32_t *rank; /* by state: for states of `one`, the length of a shortest path of safe
                               choices to the target; otherwise GRAPH_NONE */
    uint32_t undecided;   /* number of states of the part in neither zero nor one */
} graph_max_reached;

/*
 * Taking `choice` in every state of `one` reaches the target almost surely. `reverse` is that of the
 * process, or of a part of it that contains this part; `mec` holds the maximal end components of the
 * part.
 */
opac_status graph_max_reach(const graph_process *process, graph_part part,
                            const graph_reverse *reverse, const graph_mec *mec,
                            const base_bitset *target, graph_workspace *workspace,
                            graph_max_reached *result, opac_error *error);

#endif
