/* SPDX-License-Identifier: MIT */
/*
 * Linear equations in integers, solved exactly by lifting (Dixon, "Exact
 * solution of linear equations using p-adic expansions", 1982): one
 * factorisation modulo a prime gives a digit of the solution, base the prime,
 * and from what is left of the right side the next one. Fractions are read off
 * the digits so far (Monagan, "Maximal quotient rational reconstruction", 2004)
 * and tried in the equations, so that what is returned is right whatever the
 * number of digits, and small solutions need few.
 *
 * With GMP alone.
 */
#ifndef SOLVE_PADIC_LIFTING_H
#define SOLVE_PADIC_LIFTING_H

#include <omegapac/cancel.h>

#include "base/rational_gmp.h"

/*
 * diagonal(v) · x(v) = Σ value · x(column) + right(v)
 *
 * A column occurs once in a row at most and never as the row's own; diagonals
 * are above 0 and values not below; the equations have one solution, and so have
 * those of any part of the rows and columns (no closed sets).
 */
typedef struct solve_system {
    uint32_t count;
    const size_t *begin;
    const uint32_t *column;
    const mpz_srcptr *value;
    const mpz_srcptr *diagonal, *right;
} solve_system;

/* Beyond these, OPAC_ERROR_LIMIT; 0: the defaults, which are a gigabyte each, about. */
typedef struct solve_lift_limits {
    size_t cells;  /* of the factors; 50 million */
    size_t digits; /* of all unknowns together, of 61 bits each; 2^27 */
} solve_lift_limits;

/*
 * x(v) = top[v] / bottom, which is above 0; both are initialised by the caller. Called in a run of
 * base_gmp_run; after a failure top and bottom are not touched any more.
 */
opac_status solve_system_lift(const solve_system *system, solve_lift_limits limits,
                              const opac_cancel *cancel, mpz_t *top, mpz_t *bottom,
                              opac_error *error);

#endif
