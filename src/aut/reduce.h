/* SPDX-License-Identifier: MIT */
/*
 * Making deterministic automata smaller, whatever their acceptance condition,
 * without changing the language:
 *
 *   1. States from which nothing is accepted are dropped.
 *   2. If each component has only accepting or only rejecting cycles, the
 *      language is an obligation, and the automaton becomes the smallest weak
 *      one (Löding 2001; aut/weak.h).
 *   3. Otherwise states that accept the same words are found by comparing them
 *      exactly (aut/compare.h), and merged as far as that keeps the language
 *      (aut/merge.h). The number of different residual languages is a lower
 *      bound for any deterministic automaton.
 *
 * Steps 2 and 3 need a table of all letters (aut/table.h) and are skipped where
 * it would be too large; then only bisimilar states are merged.
 */
#ifndef AUT_REDUCE_H
#define AUT_REDUCE_H

#include "aut/table.h"

/* The automaton is deterministic; the result shares its labels. */
opac_status aut_reduce(const opac_automaton *automaton, opac_automaton **reduced,
                       opac_error *error);

#endif
