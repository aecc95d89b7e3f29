/* SPDX-License-Identifier: MIT */
/*
 * Rewriting a formula into a simpler one with the same meaning, in negation
 * normal form, to a fixpoint.
 */
#ifndef LTL_SIMPLIFY_H
#define LTL_SIMPLIFY_H

#include "ltl/formula.h"

/* The units of work of a rewriting or translation: `given`, or where that is 0 the default. */
uint64_t ltl_work_limit(uint64_t given);

/* Adds the subformula to the message of another limit. */
void ltl_append_subformula(const ltl_store *store, ltl_formula part, opac_error *error);

/* The error of a work that was stopped, with the subformula: "simplifying 'G F a' takes …". */
opac_status ltl_fail_stopped(const ltl_store *store, const base_work *work, const char *doing,
                             ltl_formula part, opac_error *error);

/* Any formula. Problems are remembered in the store. */
ltl_formula ltl_simplify(ltl_store *store, ltl_formula formula);

/*
 * Whether f implies g by a quick look at their form: true is certain, false
 * says nothing. Both in negation normal form.
 */
bool ltl_implies(ltl_store *store, ltl_formula f, ltl_formula g);

#endif
