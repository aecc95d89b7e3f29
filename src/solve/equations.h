/* SPDX-License-Identifier: MIT */
/*
 * The equations of a block of a quotient, one for each choice, in integers: the
 * probabilities of a choice times their common denominator, the values of
 * earlier blocks times theirs.
 *
 *     diagonal(c) · x(node of c) = Σ value · x(column) + right(c) / common
 *
 * Columns are nodes of the block, from 0, never the choice's own node: what
 * returns to that is taken from the diagonal, which stays above 0.
 *
 * With GMP alone.
 */
#ifndef SOLVE_EQUATIONS_H
#define SOLVE_EQUATIONS_H

#include "base/rational_gmp.h"
#include "base/vec.h"
#include "solve/quotient.h"

/* Integers that stay initialised when the count falls, for use block after block. */
typedef struct solve_integers {
    mpz_t *items;
    size_t count, made, capacity;
} solve_integers;

typedef struct solve_equations {
    uint32_t first_node, first_choice, node_count, choice_count;
    size_t *begin; /* by choice, from first_choice: its columns and values */
    size_t begin_capacity;
    base_u32_vec column;
    solve_integers value, diagonal, right;
    mpz_t common;
    mpz_t denominator, weight, factor, rest; /* of the choice at hand */
    uint32_t *place; /* by node of the quotient: 1 more than its place in the row at hand, else 0 */
} solve_equations;

/* What the equations are made of. */
typedef struct solve_source {
    const solve_problem *problem;
    const base_bitset *gained; /* states that are worth 1 */
    const solve_quotient *quotient;
    base_rational **value; /* by node; those of earlier blocks are known */
} solve_source;

/* In a run of base_gmp_run, as is building; fini behind it, for memory that is not GMP's. */
opac_status solve_equations_init(solve_equations *equations, const solve_quotient *quotient,
                                 opac_error *error);
void solve_equations_fini(solve_equations *equations);

/* Refuses probabilities that are not known as fractions, and sums other than 1. */
opac_status solve_equations_build(const solve_source *source, uint32_t block,
                                  solve_equations *equations, opac_error *error);

#endif
