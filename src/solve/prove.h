/* SPDX-License-Identifier: MIT */
/* Proves candidates for the bounds of a block by sweeps (see the lemma in sweep.h). */
#ifndef SOLVE_PROVE_H
#define SOLVE_PROVE_H

#include "solve/block.h"

/* Sweeps the block, counts the work, and polls `cancel` from time to time. */
solve_moves solve_task_sweep(solve_block_task *task, solve_sweep_kind kind, double *x);

/* Whether the enclosures of the block have the wanted width. */
bool solve_task_is_narrow(const solve_block_task *task);

/* The same for a range of nodes and a relative width. Values below 1e-290 always count as narrow. */
bool solve_is_narrow(const double *lower, const double *upper, uint32_t begin, uint32_t end,
                     double width);

/*
 * Tries to prove the candidate guess · factor + shift (by node of the block, from its first) as `upper` if
 * above, else as `lower`. Sweeps it at most `limit` times, until a sweep moves no node to the wrong side. If
 * this proves it, the bound of each node becomes the better of candidate and old bound, and stays inductive.
 * Otherwise the bounds do not change.
 */
bool solve_prove_bound(solve_block_task *task, const double *guess, double factor, double shift,
                       bool above, uint64_t limit);

#endif
