/* SPDX-License-Identifier: MIT */
/* Formulas from one store to another; the subformulas and propositions that occur in one. */
#ifndef LTL_COPY_H
#define LTL_COPY_H

#include "base/map.h"
#include "base/vec.h"
#include "ltl/formula.h"

/*
 * The subformulas, each once and children first: ascending, since children have smaller numbers.
 * Both begin empty; `seen` gets an entry of 0 for each.
 */
opac_status ltl_subformulas(const ltl_store *store, ltl_formula formula, base_map *seen,
                            base_u32_vec *formulas, opac_error *error);

/* Appends the numbers of the propositions that occur, ascending. */
opac_status ltl_propositions(const ltl_store *store, ltl_formula formula, base_u32_vec *numbers,
                             opac_error *error);

/*
 * The same formula in another store. Propositions that are new there are
 * numbered in the order of the old numbers.
 */
opac_status ltl_copy(const ltl_store *from, ltl_formula formula, ltl_store *to, ltl_formula *copy,
                     opac_error *error);

#endif
