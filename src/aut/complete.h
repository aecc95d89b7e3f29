/* SPDX-License-Identifier: MIT */
/* An edge for every letter everywhere. */
#ifndef AUT_COMPLETE_H
#define AUT_COMPLETE_H

#include "aut/automaton.h"

/*
 * The same language; letters without an edge lead to a state that rejects: the
 * first one without edges, or else a new one, the last. States and edges that were there keep their numbers and marks;
 * the condition changes only when no set of marks is found that it rejects: t
 * becomes Inf(0) with mark 0 on the old edges, any other c becomes c & Fin(new),
 * which fails with OPAC_ERROR_LIMIT when all marks are taken. Linear.
 */
opac_status aut_complete(const opac_automaton *given, opac_automaton **made, opac_error *error);

#endif
