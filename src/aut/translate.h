/* SPDX-License-Identifier: MIT */
/*
 * Translation of LTL formulas to automata.
 *
 *     simplify ──► Delta2 ──► factors ──► product ──► reduce ──► convert
 *
 * A formula in Delta2 is a Boolean combination of formulas in Pi2 and Sigma2. A formula in Pi2 is translated
 * to a deterministic Büchi automaton (aut/breakpoint.h), and a formula in Sigma2 is the complement of one.
 * The product of these automata, the factors (aut/compose.h), is a deterministic automaton with an
 * Emerson-Lei condition, which is converted to the requested kind (aut/convert.h). A formula outside Delta2
 * can be rewritten into Delta2 in several ways. All are tried, and the smallest automaton is kept.
 */
#ifndef AUT_TRANSLATE_H
#define AUT_TRANSLATE_H

#include "aut/breakpoint.h"

/*
 * Translates a formula of the store, which is used for rewriting and has at most 64 propositions. The result
 * has a label store of its own.
 */
opac_status aut_translate(ltl_store *formulas, ltl_formula formula,
                          const opac_automaton_options *options, opac_automaton **automaton,
                          opac_error *error);

#endif
