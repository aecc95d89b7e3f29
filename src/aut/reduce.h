/* SPDX-License-Identifier: MIT */
/*
 * Reduction of deterministic automata with any acceptance condition:
 *
 *   1. States with an empty language are removed.
 *   2. If no component has both accepting and rejecting cycles, the language is an obligation, and the result
 *   is the
 *      minimal weak automaton (Löding 2001; aut/weak.h).
 *   3. Otherwise states with the same residual language are found by exact comparison (aut/compare.h), and
 *   merged as
 *      far as the language stays the same (aut/merge.h). The number of residual languages is a lower bound on
 *      the size of any deterministic automaton for the language.
 *
 * All steps need a table of all letters (aut/table.h). If it would be too large, only bisimilar states are
 * merged.
 */
#ifndef AUT_REDUCE_H
#define AUT_REDUCE_H

#include "aut/table.h"

/* The automaton must be deterministic. The result shares its label store. */
opac_status aut_reduce(const opac_automaton *automaton, opac_automaton **reduced,
                       opac_error *error);

#endif
