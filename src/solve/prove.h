/* SPDX-License-Identifier: MIT */
/* Guesses of one side of a block's enclosure, and their proof by sweeps. */
#ifndef SOLVE_PROVE_H
#define SOLVE_PROVE_H

#include "solve/block.h"

/* A sweep that is counted; now and then it looks at `cancel`. */
solve_moves solve_task_sweep(solve_block_task *task, solve_sweep_kind kind, double *x);

/* Are the block's enclosures as narrow as was asked for? */
bool solve_task_is_narrow(const solve_block_task *task);

/* The same for any nodes and relative width; enclosures below 1e-290 are always narrow. */
bool solve_is_narrow(const double *lower, const double *upper, uint32_t begin, uint32_t end,
                     double width);

/*
 * guess: by node of the block, from its first; times factor, plus shift. above: it is for `upper`,
 * else for `lower`. Sweeps it, `limit` times at most, until one sweep moves no node
 * to the wrong side. If that proves it, the better of it and what was there
 * becomes the bound; else nothing changes. Both stay inductive if they were.
 */
bool solve_prove_bound(solve_block_task *task, const double *guess, double factor, double shift,
                       bool above, uint64_t limit);

#endif
