/* SPDX-License-Identifier: MIT */
/*
 * Encloses blocks in which sweeps converge slowly. Policy iteration (policy_iteration.h) finds values, from
 * which candidates for bounds are made. The inequality of sweep.h proves them:
 *
 *     in doubles         inductive_bounds.h, in one sweep, unless the margins of all steps of a run exceed
 *                        the width; or candidates at a constant distance from the values, in many sweeps
 *     in double-doubles  inductive_bounds_dd.h, for runs of up to about 1e13 steps
 *
 * For longer runs, the bounds are the values minus or plus the error that the lemma of eliminate.h proves;
 * the bound that must hold for all policies is used only if the policy is proven optimal. A bound that a
 * policy attains but that is not inductive in doubles is returned with that policy (solve_values.choice).
 */
#ifndef SOLVE_SLOW_BLOCK_H
#define SOLVE_SLOW_BLOCK_H

#include "solve/block.h"

/*
 * Begins with the best policy for x, a vector by node. cost_limit is in the units of solve_block.cost. last:
 * keep better bounds even if they do not reach the width.
 */
opac_status solve_slow_block_enclose(solve_block_task *task, const double *x, uint64_t cost_limit,
                                     bool last, opac_error *error);

#endif
