/* SPDX-License-Identifier: MIT */
/* Costs one more elimination, which computes t. */
#include "solve/inductive_bounds.h"

#include "solve/prove.h"

enum {
    FEW_SWEEPS = 16
};

/* The maximum of t / x. */
static double max_ratio(const double *t, const double *x, uint32_t count)
{
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        if (t[i] > most * x[i])
            most = t[i] / x[i];
    return most;
}

/*
 * Replaces t by x + δ t, with the largest δ that keeps within max_distance (which is negative from below).
 * Returns whether δ exceeds the margins.
 */
static bool make_guess(const solve_block_task *task, const double *x, double *t,
                       double max_distance)
{
    uint32_t count = task->block.end - task->block.begin;
    double most = max_ratio(t, x, count);
    double delta = most > 0 ? max_distance / most : 0;
    for (uint32_t i = 0; i < count; i++)
        t[i] = x[i] + delta * t[i];
    return !(delta < 2 * task->block.margin && -delta < 2 * task->block.margin);
}

opac_status solve_inductive_bounds(solve_block_task *task, const solve_policy_iteration *improved,
                                   double max_distance, opac_error *error)
{
    uint32_t count = task->block.end - task->block.begin;
    const solve_evaluation *value = &improved->value;
    graph_place place = graph_workspace_mark(task->workspace);
    solve_evaluation times = {
        .low = graph_take(task->workspace, count, sizeof(double)),
        .high = graph_take(task->workspace, count, sizeof(double)),
    };
    solve_elimination elimination = {
        .block = &task->block,
        .policy = improved->policy,
        .lower = task->lower,
        .upper = task->upper,
        .visits = value,
        .work_limit = 2 * value->work,
        .cancel = task->cancel,
    };
    opac_status status = OPAC_OK;
    if (times.low == NULL || times.high == NULL)
        TRY_OR(done, base_fail_memory(error));
    TRY_OR(done, solve_eliminate(&elimination, task->workspace, &times, error));
    if (times.done) {
        if (make_guess(task, value->high, times.high, max_distance))
            solve_prove_bound(task, times.high, 1, 0, true, FEW_SWEEPS);
        if (make_guess(task, value->low, times.low, -max_distance))
            solve_prove_bound(task, times.low, 1, 0, false, FEW_SWEEPS);
    }
done:
    graph_workspace_release(task->workspace, place);
    return status;
}
