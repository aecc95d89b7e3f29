/* SPDX-License-Identifier: MIT */
/*
 * Where the greatest probability of reaching a target, over all policies, is 0 or 1: decided on
 * the graph, without numbers (de Alfaro, Formal Verification of Probabilistic Systems, 1997; Baier
 * and Katoen, Principles of Model Checking, 2008, section 10.6.1), with the choices that show it.
 *
 *     greatest = 0   no path to the target
 *     greatest = 1   largest set U in which every state has a path to the target by
 *                    choices that surely stay in U (and the target is in U)
 *
 * A run that has met the target is done; what the choices of targets do is of
 * no interest. A state without choices keeps a run for ever. Within a part, a
 * run that leaves it is lost: this is the probability of "in the part until the
 * target", and choices outside the part do not exist.
 *
 * Both are linear, because the maximal end components are given: see almost_sure.c. 8 bytes a
 * state of scratch.
 */
#ifndef GRAPH_ALMOST_SURE_H
#define GRAPH_ALMOST_SURE_H

#include "graph/mec.h"
#include "graph/part.h"
#include "graph/reverse.h"

typedef struct graph_max_reached {
    base_bitset zero, one;  /* by state of the part; targets of the part are in one */
    base_bitset safe;       /* the choices of states of one that surely stay in one */
    const uint32_t *choice; /* by state of one outside the target: a choice that stays in one and
                               has a successor of the rank below, the first; others GRAPH_NONE */
    const uint32_t *rank;   /* by state of one: steps to the target by such; others GRAPH_NONE */
    uint32_t risky;         /* how many states of the part are in neither zero nor one */
} graph_max_reached;

/*
 * Taking `choice` everywhere in one reaches the target almost surely. The
 * reverse is that of the process, or of a part of it that contains this one; mec: the maximal end
 * components of the part.
 */
opac_status graph_max_reach(const graph_process *process, graph_part part,
                            const graph_reverse *reverse, const graph_mec *mec,
                            const base_bitset *target, graph_workspace *workspace,
                            graph_max_reached *result, opac_error *error);

#endif
