/* SPDX-License-Identifier: MIT */
/*
 * Finds the number of steps after which all but a share epsilon of the runs of an unfolded chain are done,
 * by computing its transient distributions.
 *
 * The distributions are computed step by step in doubles. A step costs the edges of the nodes with positive
 * probability. Negligible probabilities are dropped, and their sum is recorded. All numbers are
 * nonnegative, so the relative errors of sums and products are known: each number of steps is certainly
 * too early, certainly enough, or unclear. If it is unclear, or if there would be too many steps, the
 * computation is repeated in double-double arithmetic, step by step or by repeated squaring of the matrix
 * (matrix_powers.h), which is exact for times of up to thirteen digits.
 *
 * A probability that equals epsilon up to the rounding of double-doubles (about 1e-28 for a thousand
 * steps) counts as a tie: the runs are done. If this rounding is not small compared with the change of a
 * step, the result is a lower bound. If a lower bound suffices (options.lower_bound_only), only doubles are
 * used, and the result is the first number of steps that is not certainly too early.
 */
#ifndef SOLVE_TRANSIENT_DISTRIBUTION_H
#define SOLVE_TRANSIENT_DISTRIBUTION_H

#include "solve/recurrence.h"
#include "solve/unfold_chain.h"

/* Vectors, reused from chain to chain. */
typedef struct solve_transient {
    base_double_vec now, next;
    base_dd_vec now_dd, next_dd;
    base_u32_vec support, support_next; /* the nodes with positive probability */
} solve_transient;

void solve_transient_fini(solve_transient *transient);

/* Sets outcome, steps, before and reached of the result; adds to its work. */
opac_status solve_transient_run(solve_transient *transient, const solve_unfold *unfold,
                                const solve_recurrence_options *options, solve_recurrence *result,
                                opac_error *error);

#endif
