/* SPDX-License-Identifier: MIT */
/*
 * Policy iteration with intervals, for blocks in which sweeps hardly move. The best choices and the
 * best (or worst) model for the values at hand make a chain; its values follow by elimination
 * (eliminate.h); and so on until they no longer change. Nothing of that is proven, and with a model
 * that is the opponent it may go round in circles (Pollatschek and Avi-Itzhak 1969; Condon 1992):
 * what it ends with is a candidate, which sweeps prove or not.
 *
 * So that they can, every step earns (or costs, for a bound from below) a small toll δ. With t the
 * expected number of steps in the block, the values are x + δ t (or x - δ t), as in inductive_bounds.h: they are inductive
 * with δ to spare in every step, which is more than roundings take. Choices and models are compared by these values, so that
 * among equals those that need more of δ are taken. δ is chosen so that δ t is a quarter of the
 * width. Where values are 1 (or 0) but for the toll they end there; else the toll would be reason enough
 * to go round in circles near 1 for ever.
 *
 * From below, a model may stay for ever by edges whose lower end is 0: it is worth 0 there, the least
 * fixed point, and the choices that it stays with are left as soon as others are worth more.
 * Choices change only for what is strictly better: else one that the model can stay with, and that
 * seems as good as the one that leaves, would be taken again.
 */
#ifndef SOLVE_ROBUST_POLICY_ITERATION_H
#define SOLVE_ROBUST_POLICY_ITERATION_H

#include "solve/block.h"

/* x: by node, the values to begin with. If the candidate is proven, lower and upper of the block are both it. */
opac_status solve_robust_policy_iterate(solve_block_task *task, const double *x,
                                        uint64_t work_limit, opac_error *error);

#endif
