/* SPDX-License-Identifier: MIT */
/*
 * Deterministic Büchi automata for formulas in Pi2, by progression with a
 * breakpoint (after Miyano and Hayashi 1984; for formulas: Esparza, Křetínský,
 * Sickert 2020).
 *
 * A state is a pair of demands (aut/progression.h):
 *
 *     all    what the whole formula demands of the rest of the word
 *     now    the part of an earlier `all` that has to come true in finite time:
 *            its atoms in Sigma1, the others being taken for granted
 *
 * Both progress with each letter. When `now` is true the edge is accepting and
 * `now` is loaded again from `all`.
 *
 * Why it is right: if the word satisfies the formula, each `now` follows from
 * an `all` that is true, so it comes true, and after a finite time, as it is in
 * Sigma1. If the word does not, then some strategy refutes the demands one after
 * the other for ever; a formula in Pi2 lets it leave the atoms outside Sigma1
 * for good, after a bounded time since there are finitely many demands at each
 * moment, and from then on no `now` that is loaded comes true.
 */
#ifndef AUT_LEAF_H
#define AUT_LEAF_H

#include "aut/automaton.h"
#include "ltl/formula.h"

typedef struct aut_limits {
    uint32_t states;
    base_work *work; /* borrowed by the store of labels, too; NULL: not counted */
} aut_limits;

/*
 * The automaton of a formula in Pi2, condition Inf(0), labels in the given
 * store with the propositions of the formula store as variables.
 */
opac_status aut_leaf_build(ltl_store *formulas, aut_bdd_store *labels, ltl_formula formula,
                           const aut_limits *limits, opac_automaton **automaton, opac_error *error);

/*
 * The automaton of GF s1 & GF s2 & …, for formulas s1, s2, … without temporal
 * operators: a counter that waits for one after the other. As many states as
 * formulas, where marks of their own would need as many edges as letters.
 */
opac_status aut_leaf_rounds(ltl_store *formulas, aut_bdd_store *labels, const ltl_formula *items,
                            uint32_t count, opac_automaton **automaton, opac_error *error);

#endif
