/* SPDX-License-Identifier: MIT */
/*
 * The equations of a block of a quotient, one for each choice, with integer coefficients: the
 * probabilities of a choice are multiplied by their common denominator, and the values of earlier blocks
 * by theirs.
 *
 *     diagonal(c) · x(node of c) = Σ value · x(column) + right(c) / common
 *
 * Columns are nodes of the block, numbered from 0. The node of the choice is not among them: the
 * probability of its loop is subtracted from the diagonal, which stays above 0.
 *
 * Requires GMP.
 */
#ifndef SOLVE_EQUATIONS_H
#define SOLVE_EQUATIONS_H

#include "base/rational_gmp.h"
#include "base/vec.h"
#include "solve/quotient.h"

/* An array of integers that stay initialised when the count decreases, for reuse by the next block. */
typedef struct solve_integers {
    mpz_t *items;
    size_t count, initialised, capacity;
} solve_integers;

typedef struct solve_equations {
    uint32_t first_node, first_choice, node_count, choice_count;
    size_t *begin; /* by choice, from first_choice: where its columns and values begin */
    size_t begin_capacity;
    base_u32_vec column;
    solve_integers value, diagonal, right;
    mpz_t common;
    mpz_t denominator, weight, factor, rest; /* of the current choice */
    uint32_t *position; /* by node of the quotient: 1 + its index in the current row; 0 if absent */
} solve_equations;

/* The data from which the equations are built. */
typedef struct solve_source {
    const solve_problem *problem;
    const base_bitset *gained; /* states of value 1 */
    const solve_quotient *quotient;
    base_rational **value; /* by node; those of earlier blocks are known */
} solve_source;

/* init and build must be called within base_gmp_run; fini after it, for the memory that GMP does not own. */
opac_status solve_equations_init(solve_equations *equations, const solve_quotient *quotient,
                                 opac_error *error);
void solve_equations_fini(solve_equations *equations);

/* Fails if a probability is not known as a fraction, or the probabilities of a choice do not sum to 1. */
opac_status solve_equations_build(const solve_source *source, uint32_t block,
                                  solve_equations *equations, opac_error *error);

#endif
