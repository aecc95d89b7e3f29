/* SPDX-License-Identifier: MIT */
/*
 * Computes inductive bounds in double-double arithmetic, for blocks in which runs stay so long that the
 * margins of all steps together exceed the width.
 *
 * The inequality of sweep.h is checked on differences. Let w be the weights of a choice of node n,
 * including gain (whose target has value 1) and loss (value 0). Then u(n) is at least the value of the
 * choice if
 *
 *     Σ w(e) · (u(n) - u(e)) >= 0,
 *
 * even if the w do not sum to 1 (docs/theory.md, Lemma 7). The rounding of this sum, and errors of the w by
 * SOLVE_PROBABILITY_MARGIN, are relative to the differences and not to u: between nodes with nearly the
 * same value they have nearly no effect.
 *
 * The candidate. The values x of the policy are first refined: the residuals of the equations are
 * computed in double-doubles, and elimination solves for the correction, separately for their positive
 * and negative parts. Then let
 *
 *     t(n) = the expected total of  Σ w(e) · |x(n) - x(e)|  over all visits to nodes, from n,
 *     u = x + δ t.
 *
 * For the choices of the policy, the sum above then has a slack of δ times the sum of its absolute terms.
 * By Corollary 1 of docs/theory.md, t is at most 2 · nodes · x. If the inequality fails for another choice,
 * this choice is better than the policy, or has a larger t: the policy switches to it, and the
 * computation is repeated. Likewise from below, where only the choices of the policy are needed.
 *
 * The refinement converges as long as runs take fewer than about 1e13 steps; beyond that, nothing is
 * proven.
 */
#ifndef SOLVE_INDUCTIVE_BOUNDS_DD_H
#define SOLVE_INDUCTIVE_BOUNDS_DD_H

#include "base/double_double.h"
#include "solve/block.h"
#include "solve/policy_iteration.h"

/* Bounds of the nodes of a block, indexed from its first node. */
typedef struct solve_bounds {
    double *low, *high;
    uint32_t *policy;       /* attains low; in a complement, high */
    bool has_low, has_high; /* whether low and high are proven */
} solve_bounds;

/*
 * max_distance: relative distance that the bounds may have from the values. The caller provides the arrays
 * of the bounds. *work: the cost, in elimination steps.
 */
opac_status solve_inductive_bounds_dd(const solve_block_task *task,
                                      const solve_policy_iteration *improved, double max_distance,
                                      solve_bounds *bounds, uint64_t *work, opac_error *error);

/* Whether x, indexed by node of the block, satisfies the inequality above. Exported for tests. */
bool solve_is_inductive(const solve_block_task *task, const base_dd *x, const uint32_t *policy,
                        bool above);

#endif
