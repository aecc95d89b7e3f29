/* SPDX-License-Identifier: MIT */
/*
 * Acceptance on states: all edges of a state carry the same marks, as in HOA a
 * state with marks stands for all its edges.
 */
#ifndef AUT_STATE_BASED_H
#define AUT_STATE_BASED_H

#include "aut/automaton.h"

/*
 * The same language and condition. A state whose edges (within its component)
 * agree already keeps their marks; the marks of other edges are shown by the
 * state that they lead to, which is split by them. Reduced by bisimulation.
 * state_limit 0: AUT_STATE_LIMIT.
 */
opac_status aut_to_state_based(const opac_automaton *given, uint32_t state_limit,
                               opac_automaton **made, opac_error *error);

#endif
