/* SPDX-License-Identifier: MIT */
/*
 * Conversion to Rabin automata: the condition is the disjunction of Fin(2i) & Inf(2i+1) over the pairs i.
 * There are three ways, and the smallest result is kept (by states, then pairs):
 *
 *   - If each product of the condition in disjunctive normal form has at most one Inf, the products are
 *     pairs. The states stay the same.
 *   - A parity condition has that form, so the parity automaton (parity.h) can be used.
 *   - By the alternating cycle decomposition (acd.h). A component has Rabin shape if the children of each
 *     accepting node share no state. It keeps its states, and its accepting nodes are pairs (Casares,
 *     Colcombet, Fijalkow 2021). Other components are unfolded as for parity, and their accepting levels are
 *     pairs.
 */
#ifndef AUT_RABIN_H
#define AUT_RABIN_H

#include "aut/automaton.h"

/*
 * The condition is HOA's canonical one. The result is trimmed, and bisimilar states are merged. It is
 * deterministic if the given automaton is. A state_limit of 0 stands for AUT_STATE_LIMIT.
 */
opac_status aut_to_rabin(const opac_automaton *given, uint32_t state_limit, opac_automaton **made,
                         opac_error *error);

#endif
