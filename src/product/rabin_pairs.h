/* SPDX-License-Identifier: MIT */
/* An acceptance condition as a list of Rabin pairs, the form that the solver needs. */
#ifndef PRODUCT_RABIN_PAIRS_H
#define PRODUCT_RABIN_PAIRS_H

#include "aut/condition.h"
#include "solve/problem.h"

/* A mark that no automaton uses. For pairs without Inf, the caller adds it to every choice. */
#define PRODUCT_MARK_ALWAYS (UINT64_C(1) << 63)

BASE_VEC(product_rabin_pair_vec, solve_rabin_pair);

/*
 * The condition must be a disjunction of conjunctions with at most one Inf each; otherwise the result is
 * OPAC_ERROR_INTERNAL, because product_objective_automaton makes no such condition. *needs_always is set
 * if a pair uses PRODUCT_MARK_ALWAYS.
 */
opac_status product_rabin_pairs(const aut_condition *condition, product_rabin_pair_vec *pairs,
                                bool *needs_always, opac_error *error);

#endif
