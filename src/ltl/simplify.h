/* SPDX-License-Identifier: MIT */
/* Simplification: rewrites a formula into a simpler equivalent one in negation normal form, to a fixpoint. */
#ifndef LTL_SIMPLIFY_H
#define LTL_SIMPLIFY_H

#include "ltl/formula.h"

/* The limit on units of work of a rewriting or translation: `given`, or the default if that is 0. */
uint64_t ltl_work_limit(uint64_t given);

/* Appends the subformula to the message of an error. */
void ltl_append_subformula(const ltl_store *store, ltl_formula part, opac_error *error);

/*
 * Fails because the work was stopped, with a message that names the subformula: "simplifying 'G F a' takes
 * …".
 */
opac_status ltl_fail_stopped(const ltl_store *store, const base_work *work, const char *doing,
                             ltl_formula part, opac_error *error);

/* Simplifies any formula. Errors are recorded in the store. */
ltl_formula ltl_simplify(ltl_store *store, ltl_formula formula);

/*
 * Whether f implies g, by syntactic rules. The result is sound, not complete: false means unknown. Both
 * must be in negation normal form.
 */
bool ltl_implies(ltl_store *store, ltl_formula f, ltl_formula g);

#endif
