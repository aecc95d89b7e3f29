/* SPDX-License-Identifier: MIT */
/*
 * Progression of LTL formulas: the formula that the rest of a word must satisfy after a letter has been read.
 *
 * This formula, the residual, is encoded as a Boolean function over atoms. An atom is a temporal subformula
 * or a proposition, as a statement about the rest of the word. Unfolding a residual gives a function over the
 * propositions of the letter that is read and over the atoms after it:
 *
 *     a U b   becomes   b in the letter, or a in the letter and the atom a U b
 *     X a     becomes   the atom a
 *
 *     variables   0 … 63           64 …
 *                 propositions     atoms, about the
 *                 of the letter    rest of the word
 *
 * The variables of the letter come first in the decision diagram, so the nodes below them are the residuals
 * after each letter: an unfolded residual is also a map from letters to residuals, at no further cost.
 *
 * Atoms depend on each other: G a implies F a. The implications that ltl_implies finds are conjoined in the
 * function `consistent`. A residual that is implied by it is equivalent to true, and a residual that
 * contradicts it is equivalent to false.
 */
#ifndef AUT_PROGRESSION_H
#define AUT_PROGRESSION_H

#include "aut/bdd.h"
#include "base/map.h"
#include "base/vec.h"
#include "ltl/formula.h"

typedef struct aut_progression {
    ltl_store *formulas;
    aut_bdd_store *bdds;
    base_u32_vec atoms;   /* formulas, by variable - AUT_FIRST_ATOM */
    base_map variable_of; /* formula ► variable of its atom */
    base_map encodings;   /* formula ► its function over atoms */
    base_map unfoldings;  /* formula ► its unfolding */
    base_map unfolded;    /* residual ► its unfolding */
    aut_bdd consistent;
} aut_progression;

enum {
    AUT_FIRST_ATOM = 64
};

/* Prepares the progression of one formula, which is in negation normal form. */
opac_status aut_progression_init(aut_progression *progression, ltl_store *formulas,
                                 aut_bdd_store *bdds, ltl_formula formula, opac_error *error);
void aut_progression_fini(aut_progression *progression);

/* The formula, or a subformula, as a function over atoms. Failures are recorded in the stores. */
aut_bdd aut_progression_encode(aut_progression *progression, ltl_formula formula);

/* Unfolds a residual: a function over the letter, then over atoms. */
aut_bdd aut_progression_unfold(aut_progression *progression, aut_bdd residual);

/* Sets the atoms that do not have all of these kinds to true. */
aut_bdd aut_progression_keep(aut_progression *progression, aut_bdd residual, uint32_t kinds);

#endif
