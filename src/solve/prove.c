/* SPDX-License-Identifier: MIT */
/* A candidate is swept in the array of the bound, because targets are numbered over all blocks. */
#include "solve/prove.h"

#include <string.h>

#define NEGLIGIBLE_VALUE 1e-290 /* smaller values need no relative precision */

enum {
    PATIENCE = 4,       /* share of the sweeps, one in this many, before wrong moves are examined */
    POLL_COST = 1 << 22 /* work between two polls of `cancel` */
};

bool solve_is_narrow(const double *lower, const double *upper, uint32_t begin, uint32_t end,
                     double width)
{
    for (uint32_t n = begin; n < end; n++)
        if (upper[n] - lower[n] > width * lower[n] && !(upper[n] <= NEGLIGIBLE_VALUE))
            return false;
    return true;
}

bool solve_task_is_narrow(const solve_block_task *task)
{
    if (!task->block.quotient->robust)
        return solve_is_narrow(task->lower, task->upper, task->block.begin, task->block.end,
                               task->width);
    for (uint32_t n = task->block.begin; n < task->block.end; n++)
        if (task->upper[n] - task->lower[n] > task->width)
            return false;
    return true;
}

solve_moves solve_task_sweep(solve_block_task *task, solve_sweep_kind kind, double *x)
{
    solve_moves moves = solve_sweep(&task->block, kind, x);
    task->sweeps++;
    task->spent += task->block.cost;
    if (task->spent - task->polled >= POLL_COST) {
        task->polled = task->spent;
        task->cancelled = opac_cancel_requested(task->cancel);
    }
    return moves;
}

/*
 * Whether one of the sweeps moves no node to the wrong side. Gives up if a sweep moves none to the right
 * side. Wrong moves of the size of the margins end once the slack of the candidate, which arises at the
 * exits of the block, has propagated to all nodes; they are allowed for longer.
 */
static bool sweep_guess(solve_block_task *task, double *x, bool above, uint64_t limit)
{
    solve_sweep_kind kind = above ? SOLVE_GUESS_ABOVE : SOLVE_GUESS_BELOW;
    for (uint64_t i = 0; i < limit && !task->cancelled; i++) {
        solve_moves moves = solve_task_sweep(task, kind, x);
        double wrong = above ? moves.rise : moves.fall, right = above ? moves.fall : moves.rise;
        if (wrong == 0)
            return true;
        if (right == 0 || (i >= limit / PATIENCE && wrong > 8 * task->block.margin))
            return false;
    }
    return false;
}

bool solve_prove_bound(solve_block_task *task, const double *guess, double factor, double shift,
                       bool above, uint64_t limit)
{
    const double tiny = task->block.quotient->robust ? 0 : SOLVE_TINY;
    uint32_t begin = task->block.begin, count = task->block.end - begin;
    double *all = above ? task->upper : task->lower, *x = all + begin;
    memcpy(task->saved, x, count * sizeof *x);
    for (uint32_t i = 0; i < count; i++) {
        double value = guess[i] * factor + shift;
        if (above)
            x[i] = value < tiny ? tiny : value > 1 ? 1 : value;
        else
            x[i] = value < tiny ? 0 : value;
    }
    bool proven = sweep_guess(task, all, above, limit);
    for (uint32_t i = 0; i < count; i++)
        if (!proven || (above ? task->saved[i] < x[i] : task->saved[i] > x[i]))
            x[i] = task->saved[i];
    return proven;
}
