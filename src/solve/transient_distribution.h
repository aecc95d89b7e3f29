/* SPDX-License-Identifier: MIT */
/*
 * When all but a share epsilon of the runs of an unfolded chain are done.
 *
 * Step by step in doubles, and only where runs are: a step costs the edges of
 * the nodes that have a share. Shares that no longer matter are dropped, and their
 * sum is kept. Sums and products of numbers that are not negative
 * have errors that are relative and known, so that each step is surely too
 * early, surely enough, or unclear. Where it is unclear, and where the steps
 * would be too many, doubles of twice the length decide, step by step or by
 * powers of two of the matrix: a number of steps of thirteen digits is exact.
 *
 * Within the rounding of the long ones (some 1e-28 for a thousand steps), a
 * tie with epsilon is taken for one: the runs are done. Where their rounding is
 * no longer small beside what a step changes, the answer is a lower bound. If
 * only doubles are wanted (options.lower_bound_only), the first step that is not surely too early is the
 * answer: never more than the time.
 */
#ifndef SOLVE_TRANSIENT_DISTRIBUTION_H
#define SOLVE_TRANSIENT_DISTRIBUTION_H

#include "solve/recurrence.h"
#include "solve/unfold_chain.h"

/* Vectors, kept from chain to chain. */
typedef struct solve_transient {
    base_double_vec now, next;
    base_dd_vec wide_now, wide_next;
    base_u32_vec front, front_next; /* the nodes where they are not 0 */
} solve_transient;

void solve_transient_fini(solve_transient *transient);

/* Fills outcome, steps, before and reached; adds to work. */
opac_status solve_transient_run(solve_transient *transient, const solve_unfold *unfold,
                                const solve_recurrence_options *options, solve_recurrence *result,
                                opac_error *error);

#endif
