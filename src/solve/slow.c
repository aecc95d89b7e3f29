/* SPDX-License-Identifier: MIT */
#include "solve/slow.h"

#include "solve/certify.h"
#include "solve/improve.h"
#include "solve/prove.h"

enum {
    ELIMINATION_COST = 8 /* of a step, in those of sweeps */
};
#define PROOF_COST 2e8 /* of the sweeps that may prove a guess */

/* How far a guess may be from the values, relative, if it is to be narrow; not positive: none. */
static double room_of(const solve_block_task *task, const solve_evaluation *value)
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

/* The bound that no policy passes: that of an optimal policy. */
static void set_decisive(solve_block_task *task, const solve_improved *improved)
{
    const solve_evaluation *value = &improved->value;
    bool complement = task->block.quotient->complement;
    uint32_t begin = task->block.begin;
    for (uint32_t i = 0; i < task->block.end - begin; i++) {
        double *bound = complement ? &task->lower[begin + i] : &task->upper[begin + i];
        double x = complement ? solve_round_below(value->low[i], value->error)
                              : solve_round_above(value->high[i], value->error);
        if (complement ? x > *bound : x < *bound)
            *bound = x;
    }
}

/* Is the policy everywhere at least as good as what is known? */
static bool is_no_worse(const solve_block_task *task, const solve_evaluation *value)
{
    uint32_t begin = task->block.begin;
    for (uint32_t i = 0; i < task->block.end - begin; i++)
        if (task->block.quotient->complement
                ? solve_round_above(value->high[i], value->error) > task->upper[begin + i]
                : solve_round_below(value->low[i], value->error) < task->lower[begin + i])
            return false;
    return true;
}

/* The bound that the policy attains, and the policy with it, for the whole block. */
static void set_attained(solve_block_task *task, const solve_improved *improved)
{
    const solve_evaluation *value = &improved->value;
    uint32_t begin = task->block.begin;
    for (uint32_t i = 0; i < task->block.end - begin; i++) {
        if (task->block.quotient->complement)
            task->upper[begin + i] = solve_round_above(value->high[i], value->error);
        else
            task->lower[begin + i] = solve_round_below(value->low[i], value->error);
        task->choice[begin + i] = improved->policy[i];
    }
}

/* Would the policy's bound make the enclosure narrow? */
static bool attains_width(const solve_block_task *task, const solve_evaluation *value)
{
    bool complement = task->block.quotient->complement;
    uint32_t begin = task->block.begin;
    for (uint32_t i = 0; i < task->block.end - begin; i++) {
        double low =
            complement ? task->lower[begin + i] : solve_round_below(value->low[i], value->error);
        double high =
            complement ? solve_round_above(value->high[i], value->error) : task->upper[begin + i];
        if (!solve_narrow(&low, &high, 0, 1, task->width))
            return false;
    }
    return true;
}

/* Guesses at a distance of the values, where the more refined ones of certify.h do not serve. */
static void widen_values(solve_block_task *task, const solve_improved *improved, double room)
{
    bool complement = task->block.quotient->complement;
    uint64_t limit = proof_limit(task);
    if (complement || !improved->optimal)
        solve_prove(task, improved->value.high, 1 + room, true, limit);
    if (!complement || !improved->optimal)
        solve_prove(task, improved->value.low, 1 - room, false, limit);
}

/* Is there nothing to choose in the block? Then a policy that is named takes no freedom away. */
static bool is_chain(const solve_block *block)
{
    const uint32_t *choice_begin = block->quotient->choice_begin;
    return choice_begin[block->end] - choice_begin[block->begin] == block->end - block->begin;
}

static opac_status use_values(solve_block_task *task, const solve_improved *improved, bool last,
                              opac_error *error)
{
    const solve_evaluation *value = &improved->value;
    double room = room_of(task, value);
    if (improved->optimal)
        set_decisive(task, improved);
    if (improved->optimal && is_chain(&task->block) && attains_width(task, value)) {
        set_attained(task, improved);
        return OPAC_OK;
    }
    if (room > 0) {
        opac_status status = solve_certify(task, improved, room, error);
        if (status != OPAC_OK)
            return status;
        if (!solve_task_narrow(task))
            widen_values(task, improved, room);
    }
    if (!solve_task_narrow(task) && value->error < 1 &&
        (attains_width(task, value) || (last && is_no_worse(task, value))))
        set_attained(task, improved);
    return OPAC_OK;
}

opac_status solve_slow_enclose(solve_block_task *task, const double *x, uint64_t cost_limit,
                               bool last, opac_error *error)
{
    if (task->block.quotient->loss == NULL)
        return OPAC_OK;
    solve_improved improved;
    graph_place place = graph_workspace_mark(task->workspace);
    opac_status status = solve_improve(task, x, cost_limit / ELIMINATION_COST, &improved, error);
    if (status == OPAC_OK) {
        task->spent += ELIMINATION_COST * improved.work;
        if (improved.done)
            status = use_values(task, &improved, last, error);
    }
    task->cancelled = task->cancelled || opac_cancel_requested(task->cancel);
    graph_workspace_release(task->workspace, place);
    return status;
}
