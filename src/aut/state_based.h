/* SPDX-License-Identifier: MIT */
/*
 * Conversion to state-based acceptance: all edges of a state carry the same marks. In HOA, marks of a state
 * are marks of all of its edges.
 */
#ifndef AUT_STATE_BASED_H
#define AUT_STATE_BASED_H

#include "aut/automaton.h"

/*
 * Language and condition stay the same. If all edges of a state within its component carry the same marks,
 * the state keeps them. Otherwise the marks of its edges are moved to their targets, which are split
 * accordingly. Bisimilar states of the result are merged. A state_limit of 0 stands for AUT_STATE_LIMIT.
 */
opac_status aut_to_state_based(const opac_automaton *given, uint32_t state_limit,
                               opac_automaton **made, opac_error *error);

#endif
