/* SPDX-License-Identifier: MIT */
/*
 * Finds long recurrence times by repeated squaring: the powers Q, Q², Q⁴, … of the matrix of an unfolded
 * chain determine the number of steps bit by bit, in double-double arithmetic. The matrix is dense and the
 * cost cubic, so this is for at most a few hundred nodes.
 */
#ifndef SOLVE_MATRIX_POWERS_H
#define SOLVE_MATRIX_POWERS_H

#include "solve/recurrence.h"
#include "solve/unfold_chain.h"

/* The estimated cost in elementary steps; UINT64_MAX if there are too many nodes. */
uint64_t solve_matrix_powers_work(const solve_unfold *unfold);

/* Sets the same results as solve_transient_run. */
opac_status solve_matrix_powers_run(const solve_unfold *unfold,
                                    const solve_recurrence_options *options,
                                    solve_recurrence *result, opac_error *error);

#endif
