/* SPDX-License-Identifier: MIT */
/*
 * Bounds of blocks that runs stay in for so long that the margins of all steps exceed the width:
 * the inequality of sweep.h in doubles of twice the length, and by differences. With weights w of a
 * choice, gain and loss among them (worth 1 and 0), u(n) is at least what the choice is worth if
 *
 *     Σ w(e) · (u(n) - u(e)) >= 0,
 *
 * whatever the w sum up to. Its rounding, and an error of each w by SOLVE_PROBABILITY_MARGIN, are
 * relative to the differences, and not to u: where nodes are nearly worth the same, they count for
 * nearly nothing.
 *
 * The candidate. The values x of the policy are refined: what the equations leave over, in long
 * doubles, is solved for by elimination, its positive and negative parts apart. Then, with
 *
 *     t(n) the expected sum of  Σ w(e) · |x(n) - x(e)|  over all visits,     u = x + δ t,
 *
 * every sum above has a slack of δ times the sum of its absolute terms, for the choices of the
 * policy. By the lemma of eliminate.h, t is at most twice the number of nodes times x. A
 * choice for which it fails nevertheless is better than the policy, or needs more of t: the policy
 * takes it, and all is repeated. Likewise from below, where the policy's choices suffice.
 *
 * Refining converges as long as a run takes fewer than some 1e13 steps; beyond, nothing is proven.
 */
#ifndef SOLVE_INDUCTIVE_BOUNDS_DD_H
#define SOLVE_INDUCTIVE_BOUNDS_DD_H

#include "base/double_double.h"
#include "solve/block.h"
#include "solve/policy_iteration.h"

/* Bounds by node of the block, from its first. */
typedef struct solve_bounds {
    double *low, *high;
    uint32_t *policy;       /* attains low or, in a complement, high */
    bool has_low, has_high; /* proven, as those of earlier blocks are */
} solve_bounds;

/*
 * room: how far, relative, the bounds may be from the values. The arrays of the bounds are the
 * caller's. *work: what it cost, in steps of elimination.
 */
opac_status solve_inductive_bounds_dd(const solve_block_task *task,
                                      const solve_policy_iteration *improved, double room,
                                      solve_bounds *bounds, uint64_t *work, opac_error *error);

/* Is the candidate inductive, as above? x: by node of the block. For solve_inductive_bounds_dd and tests. */
bool solve_is_inductive(const solve_block_task *task, const base_dd *x, const uint32_t *policy,
                        bool above);

#endif
