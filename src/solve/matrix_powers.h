/* SPDX-License-Identifier: MIT */
/*
 * Many steps at once: the powers Q, Q², Q⁴, … of the matrix of an unfolded chain
 * find the number of steps bit by bit, in doubles of twice the length. The
 * matrix is dense, so this is for a few hundred nodes; cubic in their number.
 */
#ifndef SOLVE_MATRIX_POWERS_H
#define SOLVE_MATRIX_POWERS_H

#include "solve/recurrence.h"
#include "solve/unfold_chain.h"

/* What it may cost, in elementary steps; UINT64_MAX: there are too many nodes. */
uint64_t solve_matrix_powers_work(const solve_unfold *unfold);

/* As solve_transient_run. */
opac_status solve_matrix_powers_run(const solve_unfold *unfold,
                                    const solve_recurrence_options *options,
                                    solve_recurrence *result, opac_error *error);

#endif
