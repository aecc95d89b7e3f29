/* SPDX-License-Identifier: MIT */
/*
 * Computes the exact solution of a quotient, as fractions: policy iteration, block by block, with each
 * policy evaluated by p-adic lifting. The first policy is the best one according to the enclosure, so
 * that usually one evaluation proves it optimal.
 *
 * Without GMP it fails with OPAC_ERROR_UNSUPPORTED.
 */
#ifndef SOLVE_EXACT_H
#define SOLVE_EXACT_H

#include "base/rational.h"
#include "solve/values.h"

typedef struct solve_exact {
    uint32_t count;        /* number of nodes */
    base_rational **value; /* by node, owned */
    const uint32_t
        *optimal; /* by node: the lowest optimal choice of the quotient; in the workspace */
} solve_exact;

/* Fails if problem->exact is NULL. zero and one are those of the quotient; values may be NULL. */
opac_status solve_exact_find(const solve_problem *problem, const base_bitset *zero,
                             const base_bitset *one, const solve_quotient *quotient,
                             const solve_values *values, const opac_cancel *cancel,
                             graph_workspace *workspace, solve_exact *exact, opac_error *error);
void solve_exact_fini(solve_exact *exact);

#endif
