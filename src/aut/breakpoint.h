/* SPDX-License-Identifier: MIT */
/*
 * Deterministic Büchi automata for formulas in Pi2, by progression with a breakpoint (after Miyano and
 * Hayashi 1984; for formulas: Esparza, Křetínský, Sickert 2020).
 *
 * A state is a pair of functions over atoms (aut/progression.h):
 *
 *     residual   the formula that the rest of the word must satisfy
 *     pending    the part of an earlier residual that must become true in finite time: that residual with its
 *                atoms outside Sigma1 replaced by true
 *
 * Both are progressed with each letter. When `pending` becomes true (a breakpoint), the edge is accepting and
 * `pending` is set from the current residual.
 *
 * Claim: the automaton accepts exactly the words that satisfy the formula.
 *   - If the word satisfies the formula, every residual holds for the rest of the word. Then every `pending`
 *     holds too, as it is implied by a residual, and it becomes true after finitely many letters, as it is in
 *     Sigma1. So there are infinitely many breakpoints.
 *   - If it does not, every residual is false for the rest of the word, and one can choose in each residual
 *     the atoms that refute it, forever. In a Pi2 formula such a refutation eventually never uses an atom
 *     outside Sigma1 again. The time until then is bounded, since the choices in each step are finitely many.
 *     A `pending` that is set after it never becomes true. So there are finitely many breakpoints.
 */
#ifndef AUT_BREAKPOINT_H
#define AUT_BREAKPOINT_H

#include "aut/automaton.h"
#include "ltl/formula.h"

typedef struct aut_limits {
    uint32_t states;
    base_work *work; /* also borrowed by the store of labels; NULL if not counted */
} aut_limits;

/*
 * The automaton of a formula in Pi2, with condition Inf(0). Its labels are in the given store, with the
 * propositions of the formula store as variables.
 */
opac_status aut_translate_pi2(ltl_store *formulas, aut_bdd_store *labels, ltl_formula formula,
                              const aut_limits *limits, opac_automaton **automaton,
                              opac_error *error);

/*
 * The automaton of GF s1 & GF s2 & … for formulas s1, s2, … without temporal operators: a counter that waits
 * for each of them in turn. It has as many states as formulas. With a mark for each formula it would have one
 * state, but an edge for each set of marks.
 */
opac_status aut_translate_recurrences(ltl_store *formulas, aut_bdd_store *labels,
                                      const ltl_formula *items, uint32_t count,
                                      opac_automaton **automaton, opac_error *error);

#endif
