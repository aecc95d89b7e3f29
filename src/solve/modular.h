/* SPDX-License-Identifier: MIT */
/*
 * Linear equations modulo a prime: a sparse matrix is factored once, and the factors solve for many right
 * sides. Used to lift exact solutions (padic_lifting.h).
 *
 * Pivots are diagonal elements, chosen for the least possible fill-in (Markowitz 1957), and for the lowest
 * index among equals. In a matrix 1 - P without closed sets, all these pivots are positive as rational
 * numbers. If a pivot is 0 modulo the prime, the prime is unlucky, and the caller tries another.
 *
 * Residues are below the prime, which is odd and below 2^62. Products use Montgomery multiplication (1985):
 * it avoids divisions but introduces a factor of 2^-64, so the cells of the factors are stored with a factor
 * of 2^64.
 */
#ifndef SOLVE_MODULAR_H
#define SOLVE_MODULAR_H

#include <omegapac/cancel.h>

#include "base/bits.h"
#include "base/vec.h"

typedef struct solve_field {
    uint64_t prime;
    uint64_t negative; /* -1 / prime modulo 2^64 */
    uint64_t square;   /* 2^128 */
} solve_field;

solve_field solve_field_of(uint64_t prime);

/* a · b / 2^64. */
static inline uint64_t solve_field_multiply(const solve_field *field, uint64_t a, uint64_t b)
{
    uint64_t low, ignored;
    uint64_t high = base_multiply_high(a, b, &low);
    high += base_multiply_high(low * field->negative, field->prime, &ignored) + (low != 0);
    return high >= field->prime ? high - field->prime : high;
}

static inline uint64_t solve_field_subtract(const solve_field *field, uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + field->prime - b;
}

/* An index and a residue times 2^64. */
typedef struct solve_cell {
    uint32_t index;
    uint64_t value;
} solve_cell;

BASE_VEC(solve_cell_vec, solve_cell);

/*
 * The LU factors, in the order of the pivots. Each pivot has a range of lower_begin and one of upper_begin:
 *
 *     lower   the rows from which a multiple of the pivot's row is subtracted
 *     upper   the remaining columns of the pivot's row
 */
typedef struct solve_factors {
    solve_field field;
    uint32_t count;
    uint32_t *order;   /* by step: the pivot */
    uint64_t *inverse; /* by step: 1 / pivot, times 2^64 */
    size_t *lower_begin, *upper_begin;
    solve_cell_vec lower, upper;
} solve_factors;

/* A square matrix by rows. A column occurs at most once in a row; every row contains its diagonal element. */
typedef struct solve_residues {
    uint32_t count;
    const size_t *begin;
    const uint32_t *column;
    const uint64_t *value;
} solve_residues;

/*
 * *lucky: no pivot was 0; otherwise there are no factors. Fails with OPAC_ERROR_LIMIT if the factors and the
 * rest of the matrix have more than most_cells cells.
 */
opac_status solve_factors_find(solve_residues matrix, uint64_t prime, size_t most_cells,
                               const opac_cancel *cancel, solve_factors *factors, bool *lucky,
                               opac_error *error);
void solve_factors_fini(solve_factors *factors);
/* Replaces the right side by the solution. */
void solve_factors_apply(const solve_factors *factors, uint64_t *vector);

#endif
