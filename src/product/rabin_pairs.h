/* SPDX-License-Identifier: MIT */
/* An acceptance condition as the pairs that the solver takes. */
#ifndef PRODUCT_RABIN_PAIRS_H
#define PRODUCT_RABIN_PAIRS_H

#include "aut/condition.h"
#include "solve/problem.h"

/* A mark that no automaton has: on every choice, for pairs that ask for no Inf. */
#define PRODUCT_MARK_ALWAYS (UINT64_C(1) << 63)

BASE_VEC(product_rabin_pair_vec, solve_rabin_pair);

/*
 * A disjunction of conjunctions with at most one Inf each; any other condition
 * is OPAC_ERROR_INTERNAL, since goals have none. *everywhere: some pair needs
 * the mark of that name.
 */
opac_status product_rabin_pairs(const aut_condition *condition, product_rabin_pair_vec *pairs,
                                bool *everywhere, opac_error *error);

#endif
