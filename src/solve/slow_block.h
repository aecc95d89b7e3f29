/* SPDX-License-Identifier: MIT */
/*
 * Blocks in which sweeps hardly move: policy iteration (policy_iteration.h) finds values that are candidates
 * for bounds. They become bounds when the inequality of sweep.h proves them:
 *
 *     in doubles       at once those of inductive_bounds.h, unless the margins of all steps of a run exceed
 *                      the width; those at a constant distance of the values, slowly
 *     in long doubles  those of inductive_bounds_dd.h, for up to some 1e13 steps
 *
 * Only where a run takes more steps than that, the values less or more the error that the lemma of
 * eliminate.h proves are taken, the side that no policy exceeds only if the policy is proven optimal.
 * Bounds that a policy attains and that are not inductive in doubles come with that policy
 * (solve_values.choice).
 */
#ifndef SOLVE_SLOW_BLOCK_H
#define SOLVE_SLOW_BLOCK_H

#include "solve/block.h"

/*
 * x: by node, the vector whose best choices are the first policy. The limit is
 * in units of sweeps. last: what is better than before is kept even if it is not narrow.
 */
opac_status solve_slow_block_enclose(solve_block_task *task, const double *x, uint64_t cost_limit,
                                     bool last, opac_error *error);

#endif
