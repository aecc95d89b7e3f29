/* SPDX-License-Identifier: MIT */
/*
 * The solution of a quotient in fractions: policy iteration, block by block,
 * each policy evaluated by elimination. It begins with the policy that the
 * enclosure suggests, so that it mostly proves that one optimal.
 *
 * Without GMP it is OPAC_ERROR_UNSUPPORTED.
 */
#ifndef SOLVE_EXACT_H
#define SOLVE_EXACT_H

#include "base/rational.h"
#include "solve/values.h"

typedef struct solve_exact {
    uint32_t count;          /* nodes */
    base_rational **value;   /* by node, owned */
    const uint32_t *optimal; /* by node: an optimal choice of the quotient, the lowest; workspace */
} solve_exact;

/* The problem has exact probabilities. one and zero as for the quotient; values may be NULL. */
opac_status solve_exact_find(const solve_problem *problem, const base_bitset *zero,
                             const base_bitset *one, const solve_quotient *quotient,
                             const solve_values *values, const opac_cancel *cancel,
                             graph_workspace *workspace, solve_exact *exact, opac_error *error);
void solve_exact_fini(solve_exact *exact);

#endif
