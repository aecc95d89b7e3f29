/* SPDX-License-Identifier: MIT */
/*
 * Rewriting a formula into a simpler one with the same meaning, in negation
 * normal form, to a fixpoint.
 */
#ifndef LTL_SIMPLIFY_H
#define LTL_SIMPLIFY_H

#include "ltl/formula.h"

/* Any formula. Problems are remembered in the store. */
ltl_formula ltl_simplify(ltl_store *store, ltl_formula formula);

/*
 * Whether f implies g by a quick look at their form: true is certain, false
 * says nothing. Both in negation normal form.
 */
bool ltl_implies(ltl_store *store, ltl_formula f, ltl_formula g);

#endif
