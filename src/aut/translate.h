/* SPDX-License-Identifier: MIT */
/*
 * From a formula to an automaton.
 *
 *     simplify ──► Delta2 ──► leaves ──► product ──► reduce ──► convert
 *
 * A formula in Delta2 is a Boolean combination of formulas in Pi2, each a
 * deterministic Büchi automaton (aut/leaf.h), and Sigma2, complements of such.
 * The product of the leaves accepts as the combination says (aut/compose.h):
 * a deterministic automaton with an Emerson-Lei condition, which is turned into
 * the kind that was asked for (aut/convert.h). Where the formula has to be
 * rewritten into Delta2 there are several ways; all are tried, and the smallest
 * automaton is kept.
 */
#ifndef AUT_TRANSLATE_H
#define AUT_TRANSLATE_H

#include "aut/leaf.h"

/*
 * The formula is any one of the store, which is used for rewriting and has at
 * most 64 propositions. The result has labels of its own.
 */
opac_status aut_translate(ltl_store *formulas, ltl_formula formula,
                          const opac_automaton_options *options, opac_automaton **automaton,
                          opac_error *error);

#endif
