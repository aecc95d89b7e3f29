/* SPDX-License-Identifier: MIT */
/*
 * Evaluates a formula on ultimately periodic words u·v^ω, by the definition of its semantics. This is the
 * oracle for all tests of formulas; it shares no code with rewritings or automata.
 *
 *     letters   │ u …            │ v …            │      v is repeated forever
 *               0                prefix           length
 */
#ifndef SUPPORT_LASSO_H
#define SUPPORT_LASSO_H

#include "ltl/formula.h"

typedef struct ltl_lasso {
    const uint64_t *letters; /* bit i: the proposition with number i in the store holds */
    size_t prefix;           /* letters of u */
    size_t length;           /* letters of u and v; above prefix */
} ltl_lasso;

/* Any formula, not only negation normal form; at most 64 propositions in the store. */
opac_status ltl_lasso_holds(const ltl_store *store, ltl_formula formula, const ltl_lasso *word,
                            bool *holds, opac_error *error);

#endif
