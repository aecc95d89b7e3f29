/* SPDX-License-Identifier: MIT */
/*
 * Blocks in which sweeps hardly move: policy iteration (improve.h) finds values
 * that are right but for a tiny error, which are then made an enclosure:
 *
 *     the side that no policy exceeds   the values and their error, if the policy is proven
 *                                       optimal; else a guess that sweeps prove
 *     the side that a policy attains    a guess that sweeps prove, so that it is
 *                                       inductive; else the values less their error,
 *                                       with the policy (solve_values.choice)
 *
 * Sweeps prove a guess unless a run stays in the block so long that the margins of
 * all its steps exceed the width: at once those of certify.h, else those at a constant
 * distance, slowly. Where there is nothing to choose, the values and their error
 * are taken as they are if they are narrow.
 */
#ifndef SOLVE_SLOW_H
#define SOLVE_SLOW_H

#include "solve/block.h"

/*
 * x: by node, the vector whose best choices are the first policy. The limit is
 * in units of sweeps. last: what is better than before is kept even if it is not narrow.
 */
opac_status solve_slow_enclose(solve_block_task *task, const double *x, uint64_t cost_limit,
                               bool last, opac_error *error);

#endif
