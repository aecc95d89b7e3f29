/* SPDX-License-Identifier: MIT */
/*
 * Rabin automata from any automaton: pairs Fin(2i) & Inf(2i+1), one of which has
 * to hold. Of three ways the smallest result is taken (states, then pairs):
 *
 *   - When the condition, as a sum of products, has at most one Inf in each
 *     product, the products are pairs, on the states that there are.
 *   - A parity condition has that form, so the parity automaton (parity.h) will do.
 *   - By the trees of cycles (acd.h). A component in which children of
 *     accepting nodes never share a state has "Rabin shape" and keeps its states
 *     (Casares, Colcombet, Fijalkow 2021): pairs are accepting nodes. Others are
 *     unfolded as for parity, and pairs are the accepting levels.
 */
#ifndef AUT_RABIN_H
#define AUT_RABIN_H

#include "aut/automaton.h"

/*
 * The condition is HOA's canonical one. Trimmed and reduced; as deterministic as
 * the given one. state_limit 0: AUT_STATE_LIMIT.
 */
opac_status aut_to_rabin(const opac_automaton *given, uint32_t state_limit, opac_automaton **made,
                         opac_error *error);

#endif
