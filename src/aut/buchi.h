/* SPDX-License-Identifier: MIT */
/*
 * Conversion to Büchi automata, whose condition is Inf(0). They are the parity automata (parity.h) with one
 * priority, so no Büchi automaton whose states refine those of the given automaton is smaller. In particular,
 * the usual degeneralization by a counter is never smaller.
 */
#ifndef AUT_BUCHI_H
#define AUT_BUCHI_H

#include "aut/automaton.h"

/*
 * The conversion is possible if no rejecting cycle contains an accepting one (Landweber 1969); otherwise it
 * fails with OPAC_ERROR_UNSUPPORTED. If the given automaton is deterministic, so is the result, and the
 * failure means that no deterministic Büchi automaton has its language. A state_limit of 0 stands for
 * AUT_STATE_LIMIT.
 */
opac_status aut_to_buchi(const opac_automaton *given, uint32_t state_limit, opac_automaton **made,
                         opac_error *error);

#endif
