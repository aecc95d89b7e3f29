/* SPDX-License-Identifier: MIT */
/* Evaluate, compare, change; a comparison costs as much as a sweep. */
#include "solve/policy_iteration.h"

enum {
    MOST_ROUNDS = 2000
};
#define ROUNDING 1e-11 /* what differs by more is not so by rounding, most likely */

typedef struct improving {
    const solve_block_task *task;
    const solve_block *block;
    solve_policy_iteration *result;
} improving;

/* What a node is worth: of the block by `inside`, of earlier ones by `outside`. */
typedef struct view {
    const double *inside, *outside;
} view;

static double worth(const solve_block *block, view x, uint32_t node)
{
    return node < block->begin ? x.outside[node] : x.inside[node - block->begin];
}

/* The choice without its loop; 0 if nothing leaves. */
static double compare_value(const solve_block *block, view x, uint32_t node, uint32_t c)
{
    const solve_quotient *q = block->quotient;
    double sum = q->gain[c], out = q->gain[c] + q->loss[c];
    for (uint32_t e = q->edge_begin[c]; e < q->edge_begin[c + 1]; e++)
        if (q->target[e] != node) {
            sum += q->prob[e] * worth(block, x, q->target[e]);
            out += q->prob[e];
        }
    return out > 0 ? sum / out : 0;
}

/* By how much is a better than b, as the quotient wants it, relative to b? */
static double advantage(const solve_quotient *q, double a, double b)
{
    return (q->complement ? b - a : a - b) / b;
}

/* The same numbers, so the same value whatever they stand for. */
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
 * What a comparison may be wrong by: the error of x twice, on either side, and
 * the margin of both sums of compare_value and of its division.
 */
static double blur(const improving *m)
{
    return 2.02 * m->result->value.error + 4 * m->block->margin;
}

/* Changes to choices that are better. Were there any? */
static bool change_policy(const improving *m, view x)
{
    const solve_block *block = m->block;
    const solve_quotient *q = block->quotient;
    double least = 2 * blur(m) < ROUNDING ? 2 * blur(m) : ROUNDING;
    bool any = false;
    for (uint32_t n = block->begin; n < block->end; n++) {
        uint32_t *taken = &m->result->policy[n - block->begin];
        double best = worth(block, x, n) * (q->complement ? 1 - least : 1 + least);
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

/* Is every other choice worse for sure, or the same? */
static bool is_optimal(const improving *m, view x)
{
    const solve_block *block = m->block;
    const solve_quotient *q = block->quotient;
    double least = blur(m);
    for (uint32_t n = block->begin; n < block->end; n++) {
        uint32_t taken = m->result->policy[n - block->begin];
        double value = worth(block, x, n);
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
        if (!change_policy(m, x)) {
            r->optimal = r->value.error < 1 && is_optimal(m, x);
            return OPAC_OK;
        }
        elimination.work_limit -=
            r->value.work < elimination.work_limit ? r->value.work : elimination.work_limit;
        r->done = false; /* the values are those of the policy before */
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
