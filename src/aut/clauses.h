/* SPDX-License-Identifier: MIT */
/*
 * The disjunctive normal form of an acceptance condition: a run is accepting if, for some clause, it sees no
 * mark of `fin` infinitely often and every mark of `inf` infinitely often (generalized Rabin).
 */
#ifndef AUT_CLAUSES_H
#define AUT_CLAUSES_H

#include "aut/condition.h"
#include "base/work.h"

typedef struct aut_clause {
    uint64_t fin, inf; /* disjoint */
} aut_clause;

BASE_VEC(aut_clause_vec, aut_clause);

/*
 * Finds the clauses, none of which implies another, in an order that depends only on the condition. *fits is
 * false if there would be more than `most`. `work` counts the cost; it may be NULL.
 */
opac_status aut_condition_clauses(const aut_condition *condition, size_t most, base_work *work,
                                  aut_clause_vec *clauses, bool *fits, opac_error *error);

#endif
