/* SPDX-License-Identifier: MIT */
/*
 * Solves linear equations with integer coefficients exactly, by p-adic lifting (Dixon, "Exact solution of
 * linear equations using p-adic expansions", 1982). One factorisation modulo a prime yields the solution
 * digit by digit, in base p: each digit is the solution modulo p for the current residual. Fractions are
 * reconstructed from the digits (Monagan, "Maximal quotient rational reconstruction", 2004) and checked in
 * the equations. So the result is always correct, and small solutions need few digits.
 *
 * Requires GMP.
 */
#ifndef SOLVE_PADIC_LIFTING_H
#define SOLVE_PADIC_LIFTING_H

#include <omegapac/cancel.h>

#include "base/rational_gmp.h"

/*
 * diagonal(v) · x(v) = Σ value · x(column) + right(v)
 *
 * A column occurs at most once in a row, and not in the row with its own number. Diagonals are positive and
 * values are nonnegative. The equations, and those of every subset of the unknowns, have exactly one solution
 * (there are no closed sets).
 */
typedef struct solve_system {
    uint32_t count;
    const size_t *begin;
    const uint32_t *column;
    const mpz_srcptr *value;
    const mpz_srcptr *diagonal, *right;
} solve_system;

/* Limits, beyond which it fails with OPAC_ERROR_LIMIT. 0 selects the defaults, of about a gigabyte each. */
typedef struct solve_lift_limits {
    size_t cells;  /* of the factors; default 50 million */
    size_t digits; /* of all unknowns together, of 61 bits each; default 2^27 */
} solve_lift_limits;

/*
 * Sets x(v) = top[v] / bottom, with bottom > 0. The caller initialises both, and calls this within
 * base_gmp_run. After a failure the caller must not use top and bottom.
 */
opac_status solve_system_lift(const solve_system *system, solve_lift_limits limits,
                              const opac_cancel *cancel, mpz_t *top, mpz_t *bottom,
                              opac_error *error);

#endif
