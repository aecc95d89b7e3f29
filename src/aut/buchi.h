/* SPDX-License-Identifier: MIT */
/*
 * Büchi automata: the condition Inf(0). They are the parity automata (parity.h)
 * that need one priority, so that none made by following the given automaton is
 * smaller; a counter that waits for one mark after the other is never better.
 */
#ifndef AUT_BUCHI_H
#define AUT_BUCHI_H

#include "aut/automaton.h"

/*
 * As deterministic as the given one, when its cycles allow (Landweber 1969): no
 * rejecting cycle contains an accepting one. Else OPAC_ERROR_UNSUPPORTED; for a
 * deterministic automaton this means that no deterministic Büchi automaton
 * accepts its language. state_limit 0: AUT_STATE_LIMIT.
 */
opac_status aut_to_buchi(const opac_automaton *given, uint32_t state_limit, opac_automaton **made,
                         opac_error *error);

#endif
