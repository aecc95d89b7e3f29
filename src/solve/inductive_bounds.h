/* SPDX-License-Identifier: MIT */
/*
 * Bounds that one sweep proves, around values x of a policy that are right but
 * for rounding, however slow the block is. With the matrix P of the policy let
 *
 *     t = x + P t,     u = x + δ t,     so that     Φ(u) = u - δ x
 *
 * for this policy: each step gives a relative δ away, and a δ above the margin
 * of a step and the rounding of x makes u inductive at once. Widened by a constant factor, x would
 * give away at the border of the block only, and sweeps have to carry that to
 * every node. Likewise x - δ t from below.
 *
 * The side that a policy attains is so proven whenever the margins of all steps,
 * m t / x, fit into the width. The other is if no choice beats the policy,
 * also in t where they are equal; a few sweeps more make up for a few of those.
 *
 * Any vector may be guessed: what is proven is proven by sweeps (sweep.h).
 */
#ifndef SOLVE_INDUCTIVE_BOUNDS_H
#define SOLVE_INDUCTIVE_BOUNDS_H

#include "solve/block.h"
#include "solve/policy_iteration.h"

/* room: how far, relative, the bounds may be from the values. */
opac_status solve_inductive_bounds(solve_block_task *task, const solve_policy_iteration *improved,
                                   double room, opac_error *error);

#endif
