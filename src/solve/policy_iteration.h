/* SPDX-License-Identifier: MIT */
/*
 * Policy iteration in one block, with policies evaluated by elimination (eliminate.h).
 *
 * Choices are compared without their loops: y(c) = (gain + Σ prob · x) / (1 - loop), where the sum is over
 * the other edges, and 1 - loop is computed as the sum of the rates out of the node. A node switches to a
 * choice that is better by more than the rounding error. Where the proven error of x is much larger than
 * this, a switch might not improve the policy; the number of rounds is therefore limited.
 *
 * Optimality. Suppose that every other choice is worse than the policy's by more than the error of the
 * comparison, or has the same numbers. Then Φ(x) does not exceed (complement: fall below) the value x of
 * the policy, and by the lemma of sweep.h, x is the solution. The comparison uses the upper values of
 * earlier blocks (complement: the lower ones) for all choices, so their width does not affect it.
 */
#ifndef SOLVE_POLICY_ITERATION_H
#define SOLVE_POLICY_ITERATION_H

#include "solve/block.h"
#include "solve/eliminate.h"

typedef struct solve_policy_iteration {
    uint32_t *policy;       /* by node of the block, from its first: choices of the quotient */
    solve_evaluation value; /* values of the policy */
    uint64_t work;          /* cost of all evaluations */
    bool done;              /* whether the policy was evaluated */
    bool
        optimal; /* whether no policy exceeds value.high (complement: falls below value.low); proven */
} solve_policy_iteration;

/* Begins with the best policy for x, a vector by node. The results are in the workspace. */
opac_status solve_policy_iterate(const solve_block_task *task, const double *x, uint64_t work_limit,
                                 solve_policy_iteration *improved, opac_error *error);

#endif
