/* SPDX-License-Identifier: MIT */
/*
 * Policy iteration in one block, with values from elimination (eliminate.h).
 *
 * A choice is compared without its loop: y(c) = (gain + Σ prob · x) / (1 - loop),
 * the sum over the other edges, 1 - loop added up from what leaves the node. A
 * node changes to a choice that is better by more than rounding; where what is proven of
 * the error of x is much more than that, steps need not improve the policy, and are
 * counted.
 *
 * When no choice is better by so much, and each is worse by as much or the very
 * same as the one taken, then Φ(x) does not exceed (complement: fall below) the value of
 * the policy, and the lemma of sweep.h makes it the solution. The values of earlier
 * blocks that count for this are the upper ones (complement: lower), the same
 * for all choices, so that their width does not blur the comparison.
 */
#ifndef SOLVE_POLICY_ITERATION_H
#define SOLVE_POLICY_ITERATION_H

#include "solve/block.h"
#include "solve/eliminate.h"

typedef struct solve_policy_iteration {
    uint32_t *policy;       /* by node of the block, from its first: choices of the quotient */
    solve_evaluation value; /* of the policy */
    uint64_t work;          /* of all evaluations */
    bool done;              /* the policy was evaluated */
    bool optimal; /* proven, for the side that is decisive: high, or low in a complement */
} solve_policy_iteration;

/* x: a vector by node to begin with. The results are in the workspace. */
opac_status solve_policy_iterate(const solve_block_task *task, const double *x, uint64_t work_limit,
                                 solve_policy_iteration *improved, opac_error *error);

#endif
