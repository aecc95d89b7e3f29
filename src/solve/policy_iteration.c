/* SPDX-License-Identifier: MIT */
/* Each round evaluates the policy and compares all choices; a comparison costs as much as a sweep. */
#include "solve/policy_iteration.h"

#include <math.h>

enum {
    MOST_ROUNDS = 2000
};
#define ROUNDING 1e-11 /* relative difference that is assumed to exceed the rounding error */

typedef struct improving {
    const solve_block_task *task;
    const solve_block *block;
    solve_policy_iteration *result;
} improving;

/* Values of the nodes of the block (inside, from its first) and of earlier blocks (outside, by node). */
typedef struct view {
    const double *inside, *outside;
} view;

static double value_at(const solve_block *block, view x, uint32_t node)
{
    return node < block->begin ? x.outside[node] : x.inside[node - block->begin];
}

/* The backup of a choice without its loop; 0 if the choice never leaves its node. */
static double compare_value(const solve_block *block, view x, uint32_t node, uint32_t c)
{
    const solve_quotient *q = block->quotient;
    double sum = q->gain[c], out = q->gain[c] + q->loss[c];
    for (uint32_t e = q->edge_begin[c]; e < q->edge_begin[c + 1]; e++)
        if (q->target[e] != node) {
            sum += q->prob[e] * value_at(block, x, q->target[e]);
            out += q->prob[e];
        }
    return out > 0 ? sum / out : 0;
}

/* How much better a is than b, relative to b. */
static double advantage(const solve_quotient *q, double a, double b)
{
    return (q->complement ? b - a : a - b) / b;
}

/* Whether two choices have the same numbers. Then they have the same value, for any errors of the doubles. */
static bool same_choice(const solve_quotient *q, uint32_t a, uint32_t b)
{
    uint32_t edges = solve_choice_edges(q, a), ea = q->edge_begin[a], eb = q->edge_begin[b];
    if (edges != solve_choice_edges(q, b) || q->gain[a] != q->gain[b] || q->loss[a] != q->loss[b])
        return false;
    for (uint32_t i = 0; i < edges; i++)
        if (q->target[ea + i] != q->target[eb + i] || q->prob[ea + i] != q->prob[eb + i])
            return false;
    return true;
}

static void begin_policy(const improving *m, const double *x)
{
    const solve_block *block = m->block;
    const solve_quotient *q = block->quotient;
    view all = {.inside = x + block->begin, .outside = x};
    for (uint32_t n = block->begin; n < block->end; n++) {
        uint32_t best = q->choice_begin[n];
        double best_value = compare_value(block, all, n, best);
        for (uint32_t c = best + 1; c < q->choice_begin[n + 1]; c++) {
            double value = compare_value(block, all, n, c);
            if (q->complement ? value < best_value : value > best_value) {
                best = c;
                best_value = value;
            }
        }
        m->result->policy[n - block->begin] = best;
    }
}

/*
 * Relative error of a comparison: twice the error of x, once for each side, and the margins of both sums of
 * compare_value and of its division.
 */
static double comparison_error(const improving *m)
{
    return 2.02 * m->result->value.error + 4 * m->block->margin;
}

/* Switches to better choices; returns whether there were any. */
static bool switch_choices(const improving *m, view x)
{
    const solve_block *block = m->block;
    const solve_quotient *q = block->quotient;
    double least = fmin(2 * comparison_error(m), ROUNDING);
    bool any = false;
    for (uint32_t n = block->begin; n < block->end; n++) {
        uint32_t *taken = &m->result->policy[n - block->begin];
        double best = value_at(block, x, n) * (q->complement ? 1 - least : 1 + least);
        for (uint32_t c = q->choice_begin[n]; c < q->choice_begin[n + 1]; c++) {
            double value = compare_value(block, x, n, c);
            if (c != *taken && (q->complement ? value < best : value > best)) {
                best = value;
                *taken = c;
                any = true;
            }
        }
    }
    return any;
}

/* Whether every other choice is certainly worse or has the same numbers. */
static bool is_optimal(const improving *m, view x)
{
    const solve_block *block = m->block;
    const solve_quotient *q = block->quotient;
    double least = comparison_error(m);
    for (uint32_t n = block->begin; n < block->end; n++) {
        uint32_t taken = m->result->policy[n - block->begin];
        double value = value_at(block, x, n);
        for (uint32_t c = q->choice_begin[n]; c < q->choice_begin[n + 1]; c++)
            if (c != taken && !same_choice(q, c, taken) &&
                !(advantage(q, compare_value(block, x, n, c), value) <= -least))
                return false;
    }
    return true;
}

static opac_status iterate(const improving *m, uint64_t work_limit, opac_error *error)
{
    const solve_block_task *task = m->task;
    solve_policy_iteration *r = m->result;
    bool complement = m->block->quotient->complement;
    view x = {.inside = complement ? r->value.low : r->value.high,
              .outside = complement ? task->lower : task->upper};
    solve_elimination elimination = {
        .block = m->block,
        .policy = r->policy,
        .lower = task->lower,
        .upper = task->upper,
        .work_limit = work_limit,
        .cancel = task->cancel,
    };
    for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
        TRY(solve_eliminate(&elimination, task->workspace, &r->value, error));
        r->work += r->value.work;
        r->done = r->value.done;
        if (!r->done)
            return OPAC_OK;
        if (!switch_choices(m, x)) {
            r->optimal = r->value.error < 1 && is_optimal(m, x);
            return OPAC_OK;
        }
        elimination.work_limit -=
            r->value.work < elimination.work_limit ? r->value.work : elimination.work_limit;
        r->done = false; /* the values are those of the previous policy */
    }
    return OPAC_OK;
}

opac_status solve_policy_iterate(const solve_block_task *task, const double *x, uint64_t work_limit,
                                 solve_policy_iteration *improved, opac_error *error)
{
    uint32_t size = task->block.end - task->block.begin;
    improving m = {.task = task, .block = &task->block, .result = improved};
    *improved = (solve_policy_iteration){
        .policy = graph_take_u32(task->workspace, size),
        .value = {.low = graph_take(task->workspace, size, sizeof(double)),
                  .high = graph_take(task->workspace, size, sizeof(double))},
    };
    if (improved->policy == NULL || improved->value.low == NULL || improved->value.high == NULL)
        return base_fail_memory(error);
    begin_policy(&m, x);
    return iterate(&m, work_limit, error);
}
