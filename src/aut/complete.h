/* SPDX-License-Identifier: MIT */
/* Completion of automata: every state gets an edge for every letter. */
#ifndef AUT_COMPLETE_H
#define AUT_COMPLETE_H

#include "aut/automaton.h"

/*
 * An automaton with the same language, in which missing edges lead to a rejecting sink: the first state
 * without edges, or else a new last state. The given states and edges keep their numbers and marks. The
 * condition changes only if no set of marks is found that it rejects: t becomes Inf(0), with mark 0 on the
 * given edges, and any other condition c becomes c & Fin(m) with a new mark m. The latter fails with
 * OPAC_ERROR_LIMIT if there is no unused mark. Linear.
 */
opac_status aut_complete(const opac_automaton *given, opac_automaton **made, opac_error *error);

#endif
