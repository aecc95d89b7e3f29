/* SPDX-License-Identifier: MIT */
/* Removal of states and marks that do not change the language. */
#ifndef AUT_TRIM_H
#define AUT_TRIM_H

#include "aut/automaton.h"

/*
 * Removes unreachable states and states with an empty language. That includes rejecting sinks, since a
 * missing edge rejects. The other states keep their names.
 *
 * Removes marks from edges between components. In components whose cycles are all accepting, or all
 * rejecting, all edges get the same set of marks. If all components are of these two kinds, the condition
 * becomes t or Inf(0). Then removes marks that occur on no edge, on all edges, or always together with
 * another mark, and simplifies the condition.
 *
 * If the language is empty, the result has one initial state without edges and the condition f.
 *
 * The cost is that of finding the accepting components (cycles.h).
 */
opac_status aut_trim(const opac_automaton *given, opac_automaton **made, opac_error *error);

#endif
