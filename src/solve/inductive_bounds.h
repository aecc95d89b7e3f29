/* SPDX-License-Identifier: MIT */
/*
 * Computes bounds that a single sweep proves, from the values x of a policy that are exact up to rounding,
 * however slowly the block mixes. With the matrix P of the policy and its operator Φ, let
 *
 *     t = x + P t,     u = x + δ t.     Then     Φ(u) = u - δ x.
 *
 * So each step has a relative slack of δ x / u. If δ exceeds the margin of a step and the rounding of x,
 * u is inductive, and one sweep proves it. The candidate (1 + δ) x, in contrast, has slack only in
 * choices that leave the block, and sweeps must propagate it to every node. Likewise x - δ t from below.
 *
 * The bound on the side that the policy attains (lower; upper in a complement) is proven whenever the
 * margins of all steps, m t / x, fit into the width. The bound on the other side needs that no choice
 * is better than the policy, nor has a larger t where it is as good; a few more sweeps make up for a few
 * such choices.
 *
 * Soundness does not depend on this reasoning: solve_prove_bound checks every candidate (sweep.h).
 */
#ifndef SOLVE_INDUCTIVE_BOUNDS_H
#define SOLVE_INDUCTIVE_BOUNDS_H

#include "solve/block.h"
#include "solve/policy_iteration.h"

/* max_distance: relative distance that the bounds may have from the values. */
opac_status solve_inductive_bounds(solve_block_task *task, const solve_policy_iteration *improved,
                                   double max_distance, opac_error *error);

#endif
