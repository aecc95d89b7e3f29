/* SPDX-License-Identifier: MIT */
/*
 * Computes maximal end components: the largest sets of states and choices in which a policy can stay
 * forever and visit every state infinitely often. In an end component every state has at least one
 * choice, no choice leads out, and every state reaches every other by these choices (de Alfaro, Formal
 * Verification of Probabilistic Systems, 1997; Baier and Katoen, Principles of Model Checking, 2008,
 * section 10.6.3). A single state with a choice that surely returns to it is an end component; a state
 * without choices is not.
 *
 * The decomposition of the literature removes choices and splits components until nothing changes. This
 * one searches again only the components that lost a choice:
 *
 *     candidates ─► search ─► component ─┬─ lost no choice ──► maximal
 *         ▲                              └─ lost choices ────► remove the states without choices,
 *         └─────── remaining states ◄────────────────────────  and the choices that lead to them
 *
 * Cost. Removing follows the reverse index and is linear in total. The index is built only when a state
 * is removed from a component with several states, and contains only the choices left at that time. The
 * searches cost the sum, over all candidates, of their states and edges: linear for each level at which
 * components split, at worst states × edges. Memory: 44 bytes for each state; with the reverse index
 * another 4 for each state, choice and edge, and 8 for each state while it is built.
 */
#ifndef GRAPH_MEC_H
#define GRAPH_MEC_H

#include "graph/part.h"

typedef struct graph_mec {
    uint32_t count;
    const uint32_t *component; /* by state, GRAPH_NONE if in none; numbered by smallest state */
    const uint32_t *begin;     /* count + 1 items; the states of component i, ascending, are */
    const uint32_t *state;     /*   state[begin[i]] … state[begin[i+1] - 1] */
    base_bitset choices;       /* the choices that stay inside the component of their state */
    uint64_t searched;         /* number of states searched, over all candidates */
} graph_mec;

/* Finds the end components within the part: no choice is outside it or has an edge out of it. */
opac_status graph_mec_find(const graph_process *process, graph_part part,
                           graph_workspace *workspace, graph_mec *mec, opac_error *error);

#endif
