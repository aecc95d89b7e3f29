/* SPDX-License-Identifier: MIT */
/*
 * Policy iteration with intervals, for blocks in which sweeps converge slowly. The best choices and the best
 * (worst) model for the current values define a Markov chain; elimination (eliminate.h) computes its
 * values; this is repeated until they no longer change. With an adversarial model, the iteration need not
 * converge (Pollatschek and Avi-Itzhak 1969; Condon 1992). Its result is only a candidate, which sweeps must
 * prove.
 *
 * Slack. To make the candidate provable, every step of the chain earns a small toll δ (costs it, for a
 * lower bound). With t the expected number of steps in the block, the values are x + δ t (x - δ t), as in
 * inductive_bounds.h, and are inductive with a slack of δ in every step, which exceeds the rounding. Choices
 * and models are compared by these values, so among equals those with a larger δ t are taken. δ is such
 * that δ t is a quarter of the width. A node whose value, with the toll, would reach 1 (0) gets the value 1
 * (0) and ends the run; otherwise collecting the toll near 1 forever would be optimal.
 *
 * From below, a model may stay in a set forever by edges whose lower end is 0. There the value is 0, the
 * least fixed point, and the policy switches as soon as another choice has a higher value. It switches only
 * to strictly better choices: otherwise it could return to a choice with which the model can stay, and which
 * seems as good as the one that leaves.
 */
#ifndef SOLVE_ROBUST_POLICY_ITERATION_H
#define SOLVE_ROBUST_POLICY_ITERATION_H

#include "solve/block.h"

/* Begins with the values x, by node. A proven candidate becomes both lower and upper of the block. */
opac_status solve_robust_policy_iterate(solve_block_task *task, const double *x,
                                        uint64_t work_limit, opac_error *error);

#endif
