/* SPDX-License-Identifier: MIT */
#include "solve/slow_block.h"

#include "solve/inductive_bounds.h"
#include "solve/inductive_bounds_dd.h"
#include "solve/policy_iteration.h"
#include "solve/prove.h"
#include "solve/robust_policy_iteration.h"

enum {
    ELIMINATION_COST = 8 /* cost of an elimination step, in units of sweeps */
};
#define PROOF_COST 2e8 /* limit on the cost of the sweeps that prove a candidate */

/* The relative distance from the values at which a candidate still has the width; not positive: none. */
static double max_distance_of(const solve_block_task *task, const solve_evaluation *value)
{
    double gap = 0;
    for (uint32_t i = 0; i < task->block.end - task->block.begin; i++)
        if (value->high[i] - value->low[i] > gap * value->low[i] && value->low[i] > 0)
            gap = (value->high[i] - value->low[i]) / value->low[i];
    return (task->width - gap) / 3;
}

static uint64_t proof_limit(const solve_block_task *task)
{
    uint64_t most = (uint64_t)(PROOF_COST / (double)task->block.cost);
    uint64_t some = 4 * (uint64_t)(task->block.end - task->block.begin);
    return 64 + (some < most ? some : most);
}

/* Improves the bound that holds for all policies. */
static void set_bound_for_all(solve_block_task *task, const solve_bounds *bounds)
{
    bool complement = task->block.quotient->complement;
    uint32_t begin = task->block.begin;
    for (uint32_t i = 0; i < task->block.end - begin; i++) {
        double *bound = complement ? &task->lower[begin + i] : &task->upper[begin + i];
        double x = complement ? bounds->low[i] : bounds->high[i];
        if (complement ? x > *bound : x < *bound)
            *bound = x;
    }
}

/* Whether the bound that the policy attains is nowhere worse than the known one. */
static bool is_no_worse(const solve_block_task *task, const solve_bounds *bounds)
{
    uint32_t begin = task->block.begin;
    for (uint32_t i = 0; i < task->block.end - begin; i++)
        if (task->block.quotient->complement ? bounds->high[i] > task->upper[begin + i]
                                             : bounds->low[i] < task->lower[begin + i])
            return false;
    return true;
}

/* Sets the bound that the policy attains, and the policy, for the whole block. */
static void set_attained(solve_block_task *task, const solve_bounds *bounds)
{
    uint32_t begin = task->block.begin;
    for (uint32_t i = 0; i < task->block.end - begin; i++) {
        if (task->block.quotient->complement)
            task->upper[begin + i] = bounds->high[i];
        else
            task->lower[begin + i] = bounds->low[i];
        task->choice[begin + i] = bounds->policy[i];
    }
}

/* Whether the enclosure has the width with the bound that the policy attains. */
static bool attains_width(const solve_block_task *task, const solve_bounds *bounds)
{
    bool complement = task->block.quotient->complement;
    uint32_t begin = task->block.begin;
    for (uint32_t i = 0; i < task->block.end - begin; i++) {
        double low = complement ? task->lower[begin + i] : bounds->low[i];
        double high = complement ? bounds->high[i] : task->upper[begin + i];
        if (!solve_is_narrow(&low, &high, 0, 1, task->width))
            return false;
    }
    return true;
}

/* Uses proven bounds. */
static void use_bounds(solve_block_task *task, const solve_bounds *bounds, bool last)
{
    bool complement = task->block.quotient->complement;
    if (complement ? bounds->has_low : bounds->has_high)
        set_bound_for_all(task, bounds);
    if ((complement ? bounds->has_high : bounds->has_low) && !solve_task_is_narrow(task) &&
        (attains_width(task, bounds) || (last && is_no_worse(task, bounds))))
        set_attained(task, bounds);
}

/* Computes bounds from the values and the error that the lemma of eliminate.h proves. */
static void bound_error(const solve_block_task *task, const solve_policy_iteration *improved,
                        solve_bounds *bounds)
{
    const solve_evaluation *value = &improved->value;
    bool complement = task->block.quotient->complement, known = value->error < 1;
    for (uint32_t i = 0; i < task->block.end - task->block.begin && known; i++) {
        bounds->low[i] = solve_round_below(value->low[i], value->error);
        bounds->high[i] = solve_round_above(value->high[i], value->error);
        bounds->policy[i] = improved->policy[i];
    }
    bounds->has_low = known && (improved->optimal || !complement);
    bounds->has_high = known && (improved->optimal || complement);
}

/* Tries candidates at a constant relative distance, where those of inductive_bounds.h failed. */
static void widen_values(solve_block_task *task, const solve_policy_iteration *improved,
                         double max_distance)
{
    bool complement = task->block.quotient->complement;
    uint64_t limit = proof_limit(task);
    if (complement || !improved->optimal)
        solve_prove_bound(task, improved->value.high, 1 + max_distance, 0, true, limit);
    if (!complement || !improved->optimal)
        solve_prove_bound(task, improved->value.low, 1 - max_distance, 0, false, limit);
}

/*
 * Tries proofs in the order of their cost: candidates in doubles, then in double-doubles, then candidates
 * that need many sweeps, and finally the error bound of the elimination.
 */
static opac_status use_values(solve_block_task *task, const solve_policy_iteration *improved,
                              bool last, opac_error *error)
{
    uint32_t count = task->block.end - task->block.begin;
    double max_distance = max_distance_of(task, &improved->value);
    solve_bounds bounds = {
        .low = graph_take(task->workspace, count, sizeof(double)),
        .high = graph_take(task->workspace, count, sizeof(double)),
        .policy = graph_take_u32(task->workspace, count),
    };
    if (bounds.low == NULL || bounds.high == NULL || bounds.policy == NULL)
        return base_fail_memory(error);
    if (max_distance > 0)
        TRY(solve_inductive_bounds(task, improved, max_distance, error));
    if (max_distance > 0 && !solve_task_is_narrow(task)) {
        uint64_t work;
        TRY(solve_inductive_bounds_dd(task, improved, max_distance, &bounds, &work, error));
        task->spent += ELIMINATION_COST * work;
        use_bounds(task, &bounds, last);
    }
    if (solve_task_is_narrow(task))
        return OPAC_OK;
    if (max_distance > 0)
        widen_values(task, improved, max_distance);
    if (!solve_task_is_narrow(task)) {
        bound_error(task, improved, &bounds);
        use_bounds(task, &bounds, last);
    }
    return OPAC_OK;
}

opac_status solve_slow_block_enclose(solve_block_task *task, const double *x, uint64_t cost_limit,
                                     bool last, opac_error *error)
{
    if (task->block.quotient->robust)
        return solve_robust_policy_iterate(task, x, cost_limit / ELIMINATION_COST, error);
    if (task->block.quotient->loss == NULL)
        return OPAC_OK;
    solve_policy_iteration improved;
    graph_place place = graph_workspace_mark(task->workspace);
    opac_status status;
    TRY_OR(done, solve_policy_iterate(task, x, cost_limit / ELIMINATION_COST, &improved, error));
    task->spent += ELIMINATION_COST * improved.work;
    if (improved.done)
        TRY_OR(done, use_values(task, &improved, last, error));
done:
    task->cancelled = task->cancelled || opac_cancel_requested(task->cancel);
    graph_workspace_release(task->workspace, place);
    return status;
}
