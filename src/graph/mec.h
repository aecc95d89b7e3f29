/* SPDX-License-Identifier: MIT */
/*
 * Maximal end components: the largest sets of states and choices in which a
 * policy can stay for ever and meet every state again and again. A set of
 * states with, for each, at least one choice; no choice leads out; every state
 * reaches every other by these choices (de Alfaro, Formal Verification of
 * Probabilistic Systems, 1997; Baier and Katoen, Principles of Model Checking,
 * 2008, section 10.6.3). A single state with a choice that surely returns to it is one;
 * a state without choices is none.
 *
 * The decomposition, as given there, removes and splits until
 * nothing changes. Here only what changed is looked at again:
 *
 *     candidates ─► search ─► component ─┬─ lost nothing ──► maximal
 *         ▲                              └─ lost choices ──► drop the states that
 *         └──────────── what is left ◄─────────────────────  have none, and what
 *                                                            leads to them
 *
 * Dropping follows the reverse index, so all of it is linear; the index is made
 * only when a state in a component of several is dropped, and only of the choices
 * left then. The rest is Σ over candidates of their edges: linear for each level
 * at which components split, at worst states × edges. A candidate costs what its
 * own states and edges cost. 44 bytes a state, and with the reverse index 4 more
 * for each state, choice and edge, and 8 a state while it is made.
 */
#ifndef GRAPH_MEC_H
#define GRAPH_MEC_H

#include "graph/part.h"

typedef struct graph_mec {
    uint32_t count;
    const uint32_t *component; /* by state; GRAPH_NONE: in none. By smallest state: 0, 1, … */
    const uint32_t *begin;     /* count + 1; the states of component i, ascending, are */
    const uint32_t *state;     /*   state[begin[i]] … state[begin[i+1] - 1] */
    base_bitset choices;       /* those that stay inside the component of their state */
    uint64_t searched;         /* states searched, over all candidates */
} graph_mec;

/* End components within the part: no choice outside it, none with an edge out of it. */
opac_status graph_mec_find(const graph_process *process, graph_part part,
                           graph_workspace *workspace, graph_mec *mec, opac_error *error);

#endif
