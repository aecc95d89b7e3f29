/* SPDX-License-Identifier: MIT */
/*
 * Progression: what a formula demands of the rest of a word, after a letter.
 *
 * A demand is a Boolean function over atoms: the temporal subformulas and the
 * propositions, each "as of the next letter". Unfolding a demand gives a
 * function over the letter that is read now and over atoms:
 *
 *     a U b   becomes   b now, or a now and (a U b) next
 *     X a     becomes   a next
 *
 *     variables   0 … 63           64 …
 *                 propositions     atoms
 *                 of the letter    of what is demanded next
 *
 * In the decision diagram the letter comes first, so that below its variables
 * there are the demands that follow: a diagram from letters to demands, at no
 * further cost.
 *
 * Atoms are related (G a implies F a). What is known of that by ltl_implies is
 * one function, `consistent`: a demand that is true, or false, wherever it
 * holds is fulfilled, or cannot be met.
 */
#ifndef AUT_PROGRESSION_H
#define AUT_PROGRESSION_H

#include "aut/bdd.h"
#include "base/map.h"
#include "base/vec.h"
#include "ltl/formula.h"

typedef struct aut_progress {
    ltl_store *formulas;
    aut_bdd_store *bdds;
    base_u32_vec atoms;   /* formulas, by variable - 64 */
    base_map variable_of; /* formula ► variable of its atom */
    base_map demands;     /* formula ► its demand */
    base_map unfoldings;  /* formula ► its unfolding */
    base_map steps;       /* demand ► its unfolding */
    aut_bdd consistent;
} aut_progress;

enum {
    AUT_FIRST_ATOM = 64
};

/* For one formula in negation normal form and whatever follows from it. */
opac_status aut_progress_init(aut_progress *progress, ltl_store *formulas, aut_bdd_store *bdds,
                              ltl_formula formula, opac_error *error);
void aut_progress_fini(aut_progress *progress);

/* What the formula demands of the word; problems are remembered in the stores. */
aut_bdd aut_progress_demand(aut_progress *progress, ltl_formula formula);

/* The demand unfolded: over the letter read now, then over demands. */
aut_bdd aut_progress_step(aut_progress *progress, aut_bdd demand);

/* The demand with all atoms set to true that have not all of these kinds. */
aut_bdd aut_progress_keep(aut_progress *progress, aut_bdd demand, uint32_t kinds);

#endif
