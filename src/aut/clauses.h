/* SPDX-License-Identifier: MIT */
/*
 * A condition as alternatives: a run is accepted when, for one of them, it sees
 * no mark of `fin` and every mark of `inf` infinitely often (generalised Rabin).
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
 * The alternatives, none of them implied by another, in an order that depends
 * on the condition alone. *fits is false when there would be more than `most`.
 * work: what it is counted in; NULL: nothing.
 */
opac_status aut_condition_clauses(const aut_condition *condition, size_t most, base_work *work,
                                  aut_clause_vec *clauses, bool *fits, opac_error *error);

#endif
