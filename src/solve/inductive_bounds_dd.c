/* SPDX-License-Identifier: MIT */
/* Each refinement costs one elimination, and so does t; checking the inequality costs one sweep. */
#include "solve/inductive_bounds_dd.h"

#include <math.h>
#include <string.h>

enum {
    REFINEMENTS = 6,
    MOST_ROUNDS = 64 /* changes of the policy */
};
#define UNDERFLOW 1e-280  /* smaller products may have lost digits */
#define CONVERGED 0x1p-96 /* relative correction after which the refinement ends */
#define SLACK     64      /* δ in margins, if max_distance permits */

typedef struct proof {
    const solve_block_task *task;
    const solve_policy_iteration *improved;
    uint32_t *policy;
    bool above;
    const double *outside; /* by node: bounds of earlier blocks */
    base_dd *x;            /* by node of the block, from its first, as are all arrays below */
    double *t;
    solve_evaluation reward, solution;
    uint64_t work;
} proof;

/* Whether the bound holds for all policies, so that every choice must satisfy the inequality. */
static bool is_for_all_policies(const solve_block_task *task, bool above)
{
    return above != task->block.quotient->complement;
}

/* ---- a choice ---- */

/* Σ w (x(e) - x(n)) over the edges of a choice, gain and loss, split by sign. */
typedef struct balance {
    double rise, fall; /* both at least 0; each term is too large by at most UNDERFLOW */
} balance;

static inline base_dd value_at(const solve_block *block, const base_dd *x, const double *outside,
                               uint32_t node)
{
    return node < block->begin ? base_dd_of(outside[node]) : x[node - block->begin];
}

/* The difference of two double-doubles has a relative error of BASE_DD_ROUNDING, however close they are. */
static void add_term(balance *b, double weight, base_dd to, base_dd from)
{
    double difference = base_dd_subtract(to, from).high, part = weight * fabs(difference);
    if (part < UNDERFLOW && weight > 0 && difference != 0)
        part = UNDERFLOW;
    *(difference > 0 ? &b->rise : &b->fall) += part;
}

static balance balance_of_choice(const solve_block *block, const base_dd *x, const double *outside,
                                 uint32_t node, uint32_t c)
{
    const solve_quotient *q = block->quotient;
    base_dd own = x[node - block->begin];
    balance b = {0};
    add_term(&b, q->gain[c], base_dd_of(1), own);
    add_term(&b, q->loss[c], base_dd_of(0), own);
    for (uint32_t e = q->edge_begin[c]; e < q->edge_begin[c + 1]; e++)
        add_term(&b, q->prob[e], value_at(block, x, outside, q->target[e]), own);
    return b;
}

/* Whether x(n) is at least (above) or at most the value of the choice, for any rounding. */
static bool satisfies_choice(const solve_block *block, const base_dd *x, const double *outside,
                             uint32_t node, uint32_t c, bool above)
{
    uint32_t edges = solve_choice_edges(block->quotient, c);
    double margin = solve_outer_margin(edges);
    balance b = balance_of_choice(block, x, outside, node, c);
    double good = above ? b.fall : b.rise, bad = above ? b.rise : b.fall;
    return good * (1 - margin) >= bad * (1 + margin) + (edges + 2.0) * UNDERFLOW;
}

bool solve_is_inductive(const solve_block_task *task, const base_dd *x, const uint32_t *policy,
                        bool above)
{
    const solve_block *block = &task->block;
    const solve_quotient *q = block->quotient;
    const double *outside = above ? task->upper : task->lower;
    for (uint32_t n = block->begin; n < block->end; n++) {
        uint32_t c = policy[n - block->begin], end = c + 1;
        if (is_for_all_policies(task, above)) {
            c = q->choice_begin[n];
            end = q->choice_begin[n + 1];
        }
        for (; c < end; c++)
            if (!satisfies_choice(block, x, outside, n, c, above))
                return false;
    }
    return true;
}

/* ---- the candidate ---- */

/* The residual of the equation of a choice. */
static double residual(const proof *p, uint32_t node, uint32_t c)
{
    const solve_block *block = &p->task->block;
    const solve_quotient *q = block->quotient;
    base_dd own = p->x[node - block->begin];
    base_dd sum = base_dd_multiply(base_dd_subtract(base_dd_of(1), own), base_dd_of(q->gain[c]));
    sum = base_dd_subtract(sum, base_dd_multiply(own, base_dd_of(q->loss[c])));
    for (uint32_t e = q->edge_begin[c]; e < q->edge_begin[c + 1]; e++) {
        base_dd to = value_at(block, p->x, p->outside, q->target[e]);
        sum = base_dd_add(sum, base_dd_multiply(base_dd_subtract(to, own), base_dd_of(q->prob[e])));
    }
    return sum.high;
}

static opac_status eliminate(proof *p, bool *done, opac_error *error)
{
    const solve_block_task *task = p->task;
    solve_elimination elimination = {
        .block = &task->block,
        .policy = p->policy,
        .lower = task->lower,
        .upper = task->upper,
        .visits = &p->reward,
        .work_limit = 2 * p->improved->value.work,
        .cancel = task->cancel,
    };
    TRY(solve_eliminate(&elimination, task->workspace, &p->solution, error));
    p->work += p->solution.work;
    *done = p->solution.done;
    return OPAC_OK;
}

/* Corrects x until it satisfies the equations of the policy to double-double precision. */
static opac_status refine(proof *p, bool *done, opac_error *error)
{
    const solve_block *block = &p->task->block;
    uint32_t count = block->end - block->begin;
    *done = true;
    for (int round = 0; round < REFINEMENTS && *done; round++) {
        for (uint32_t i = 0; i < count; i++) {
            double left = residual(p, block->begin + i, p->policy[i]);
            p->reward.high[i] = left > 0 ? left : 0;
            p->reward.low[i] = left < 0 ? -left : 0;
        }
        TRY(eliminate(p, done, error));
        if (!*done)
            return OPAC_OK;
        double largest = 0;
        for (uint32_t i = 0; i < count; i++) {
            double step = p->solution.high[i] - p->solution.low[i];
            p->x[i] = base_dd_add(p->x[i], base_dd_of(step));
            largest = fmax(largest, fabs(step) / p->x[i].high);
        }
        if (!(largest > CONVERGED))
            break;
    }
    return OPAC_OK;
}

/* Computes t. */
static opac_status find_slack(proof *p, bool *done, opac_error *error)
{
    const solve_block *block = &p->task->block;
    uint32_t count = block->end - block->begin;
    for (uint32_t i = 0; i < count; i++) {
        balance b = balance_of_choice(block, p->x, p->outside, block->begin + i, p->policy[i]);
        p->reward.high[i] = b.rise + b.fall;
        p->reward.low[i] = 0;
    }
    opac_status status = eliminate(p, done, error);
    for (uint32_t i = 0; i < count && *done; i++)
        p->t[i] = p->solution.high[i];
    return status;
}

/* Replaces x by x ± δ t; false if max_distance does not permit a δ above the margins. */
static bool widen(proof *p, double max_distance)
{
    uint32_t count = p->task->block.end - p->task->block.begin;
    double most = 0, margin = p->task->block.margin;
    for (uint32_t i = 0; i < count; i++)
        most = fmax(most, p->t[i] / p->x[i].high);
    double delta = fmin(SLACK * margin, max_distance / most);
    if (!(delta >= 2 * margin))
        return false;
    for (uint32_t i = 0; i < count; i++)
        p->x[i] = base_dd_add(p->x[i], base_dd_of(p->above ? delta * p->t[i] : -delta * p->t[i]));
    return true;
}

/*
 * Switches the policy to choices that violate the inequality. False if there are none, or if the inequality
 * fails for a choice of the policy.
 */
static bool switch_choices(const proof *p)
{
    const solve_block *block = &p->task->block;
    const solve_quotient *q = block->quotient;
    bool any = false;
    for (uint32_t n = block->begin; n < block->end; n++) {
        uint32_t *taken = &p->policy[n - block->begin], old = *taken;
        if (!satisfies_choice(block, p->x, p->outside, n, old, p->above))
            return false;
        for (uint32_t c = q->choice_begin[n]; c < q->choice_begin[n + 1]; c++)
            if (c != old && !satisfies_choice(block, p->x, p->outside, n, c, p->above)) {
                *taken = c;
                any = true;
            }
    }
    return any;
}

/* ---- one side ---- */

/* Rounds the candidate outward to doubles. */
static void write_bounds(const proof *p, double *bound)
{
    for (uint32_t i = 0; i < p->task->block.end - p->task->block.begin; i++) {
        base_dd x = p->x[i];
        double out = p->above ? (x.low > 0 ? nextafter(x.high, 2) : x.high)
                              : (x.low < 0 ? nextafter(x.high, -1) : x.high);
        bound[i] = p->above ? solve_round_above(out, 0) : solve_round_below(out, 0);
    }
}

static opac_status prove_side(proof *p, const double *start, double max_distance, bool *proven,
                              opac_error *error)
{
    uint32_t count = p->task->block.end - p->task->block.begin;
    bool may_switch = is_for_all_policies(p->task, p->above), done = true;
    p->outside = p->above ? p->task->upper : p->task->lower;
    *proven = false;
    for (int round = 0; round < MOST_ROUNDS && done; round++) {
        for (uint32_t i = 0; i < count; i++)
            p->x[i] = base_dd_of(start[i]);
        TRY(refine(p, &done, error));
        if (done)
            TRY(find_slack(p, &done, error));
        if (!done || !widen(p, max_distance))
            return OPAC_OK;
        *proven = solve_is_inductive(p->task, p->x, p->policy, p->above);
        if (*proven || !may_switch || !switch_choices(p))
            return OPAC_OK;
    }
    return OPAC_OK;
}

static opac_status take_proof(proof *p, opac_error *error)
{
    graph_workspace *w = p->task->workspace;
    uint32_t count = p->task->block.end - p->task->block.begin;
    double *numbers = graph_take(w, 5 * (size_t)count, sizeof *numbers);
    p->x = graph_take(w, count, sizeof *p->x);
    if (p->x == NULL || numbers == NULL)
        return base_fail_memory(error);
    p->t = numbers;
    p->reward = (solve_evaluation){.low = numbers + count, .high = numbers + 2 * (size_t)count};
    p->solution =
        (solve_evaluation){.low = numbers + 3 * (size_t)count, .high = numbers + 4 * (size_t)count};
    return OPAC_OK;
}

opac_status solve_inductive_bounds_dd(const solve_block_task *task,
                                      const solve_policy_iteration *improved, double max_distance,
                                      solve_bounds *bounds, uint64_t *work, opac_error *error)
{
    graph_place place = graph_workspace_mark(task->workspace);
    proof p = {.task = task, .improved = improved, .policy = bounds->policy};
    bool complement = task->block.quotient->complement;
    opac_status status;
    bounds->has_low = bounds->has_high = false;
    TRY_OR(done, take_proof(&p, error));
    memcpy(p.policy, improved->policy, (task->block.end - task->block.begin) * sizeof *p.policy);
    for (int side = 0; side < 2; side++) {
        /* The bound for all policies first, because it may change the policy. */
        p.above = (side == 0) != complement;
        bool *proven = p.above ? &bounds->has_high : &bounds->has_low;
        const double *start = p.above ? improved->value.high : improved->value.low;
        TRY_OR(done, prove_side(&p, start, max_distance, proven, error));
        if (*proven)
            write_bounds(&p, p.above ? bounds->high : bounds->low);
    }
done:
    *work = p.work;
    graph_workspace_release(task->workspace, place);
    return status;
}
