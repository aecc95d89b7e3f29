/* SPDX-License-Identifier: MIT */
/* Copies formulas between stores, and lists the subformulas and propositions of a formula. */
#ifndef LTL_COPY_H
#define LTL_COPY_H

#include "base/map.h"
#include "base/vec.h"
#include "ltl/formula.h"

/*
 * Lists the subformulas, each once and in ascending order, so that children come before their parents. `seen`
 * gets an entry with the value 0 for each of them. Both containers must be empty.
 */
opac_status ltl_subformulas(const ltl_store *store, ltl_formula formula, base_map *seen,
                            base_u32_vec *formulas, opac_error *error);

/* Appends the numbers of the propositions that occur in the formula, in ascending order. */
opac_status ltl_propositions(const ltl_store *store, ltl_formula formula, base_u32_vec *numbers,
                             opac_error *error);

/*
 * Copies a formula to another store. Propositions that are new there are numbered in the order of their old
 * numbers.
 */
opac_status ltl_copy(const ltl_store *from, ltl_formula formula, ltl_store *to, ltl_formula *copy,
                     opac_error *error);

#endif
