/* SPDX-License-Identifier: MIT */
/* Leaving out what cannot matter: states, and marks. */
#ifndef AUT_TRIM_H
#define AUT_TRIM_H

#include "aut/automaton.h"

/*
 * The same language without states that cannot be reached or from which nothing
 * is accepted (a rejecting sink goes: a missing edge rejects); names are kept.
 *
 * Marks stay only where they can matter: not on edges between components; the
 * edges of a component whose cycles all accept, or all reject, carry one and
 * the same set; marks that are nowhere, everywhere, or always together with
 * another are gone, and the condition is simplified. When every component is
 * of one of these two kinds the condition is t or Inf(0).
 *
 * The empty language has one initial state without edges, and the condition f.
 *
 * As costly as deciding which components accept (cycles.h).
 */
opac_status aut_trim(const opac_automaton *given, opac_automaton **made, opac_error *error);

#endif
