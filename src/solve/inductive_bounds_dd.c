/* SPDX-License-Identifier: MIT */
/* Each refinement, and t, cost one elimination; a check costs as much as a sweep. */
#include "solve/inductive_bounds_dd.h"

#include <math.h>
#include <string.h>

enum {
    REFINEMENTS = 6,
    MOST_ROUNDS = 64 /* of changes of the policy */
};
#define UNDERFLOW 1e-280  /* products below may have lost digits */
#define FINE      0x1p-96 /* relative corrections that need no further one */
#define SLACK     64      /* margins that δ is worth, if there is room */

typedef struct proof {
    const solve_block_task *task;
    const solve_policy_iteration *improved;
    uint32_t *policy;
    bool above;
    const double *outside; /* by node: of earlier blocks */
    base_dd *x;            /* by node of the block, from its first, as all below */
    double *t;
    solve_evaluation reward, solution;
    uint64_t work;
} proof;

/* The side that no policy passes: every choice has to keep it. */
static bool is_decisive(const solve_block_task *task, bool above)
{
    return above != task->block.quotient->complement;
}

/* ---- a choice ---- */

/* Σ w (worth - x(n)) over the edges of a choice, gain and loss, split by sign. */
typedef struct balance {
    double rise, fall; /* neither is negative; each term too large by UNDERFLOW at most */
} balance;

static inline base_dd worth_of(const solve_block *block, const base_dd *x, const double *outside,
                               uint32_t node)
{
    return node < block->begin ? base_dd_of(outside[node]) : x[node - block->begin];
}

/* A difference of long doubles is right to BASE_DD_ROUNDING, however close they are. */
static void add_term(balance *b, double weight, base_dd to, base_dd from)
{
    double difference = base_dd_subtract(to, from).high, part = weight * fabs(difference);
    if (part < UNDERFLOW && weight > 0 && difference != 0)
        part = UNDERFLOW;
    *(difference > 0 ? &b->rise : &b->fall) += part;
}

static balance weigh(const solve_block *block, const base_dd *x, const double *outside,
                     uint32_t node, uint32_t c)
{
    const solve_quotient *q = block->quotient;
    base_dd own = x[node - block->begin];
    balance b = {0};
    add_term(&b, q->gain[c], base_dd_of(1), own);
    add_term(&b, q->loss[c], base_dd_of(0), own);
    for (uint32_t e = q->edge_begin[c]; e < q->edge_begin[c + 1]; e++)
        add_term(&b, q->prob[e], worth_of(block, x, outside, q->target[e]), own);
    return b;
}

/* Is x(n) on the right side of what the choice is worth, whatever the rounding? */
static bool keeps_side(const solve_block *block, const base_dd *x, const double *outside,
                       uint32_t node, uint32_t c, bool above)
{
    uint32_t edges = solve_choice_edges(block->quotient, c);
    double margin = solve_outer_margin(edges);
    balance b = weigh(block, x, outside, node, c);
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
        if (is_decisive(task, above)) {
            c = q->choice_begin[n];
            end = q->choice_begin[n + 1];
        }
        for (; c < end; c++)
            if (!keeps_side(block, x, outside, n, c, above))
                return false;
    }
    return true;
}

/* ---- the candidate ---- */

/* The residual of a node's equation. */
static double residual(const proof *p, uint32_t node, uint32_t c)
{
    const solve_block *block = &p->task->block;
    const solve_quotient *q = block->quotient;
    base_dd own = p->x[node - block->begin];
    base_dd sum = base_dd_multiply(base_dd_subtract(base_dd_of(1), own), base_dd_of(q->gain[c]));
    sum = base_dd_subtract(sum, base_dd_multiply(own, base_dd_of(q->loss[c])));
    for (uint32_t e = q->edge_begin[c]; e < q->edge_begin[c + 1]; e++) {
        base_dd to = worth_of(block, p->x, p->outside, q->target[e]);
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

/* Corrects x until the equations of the policy hold to the last digits. */
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
        if (!(largest > FINE))
            break;
    }
    return OPAC_OK;
}

static opac_status find_slack(proof *p, bool *done, opac_error *error)
{
    const solve_block *block = &p->task->block;
    uint32_t count = block->end - block->begin;
    for (uint32_t i = 0; i < count; i++) {
        balance b = weigh(block, p->x, p->outside, block->begin + i, p->policy[i]);
        p->reward.high[i] = b.rise + b.fall;
        p->reward.low[i] = 0;
    }
    opac_status status = eliminate(p, done, error);
    for (uint32_t i = 0; i < count && *done; i++)
        p->t[i] = p->solution.high[i];
    return status;
}

/* Makes x ± δ t of x; false when there is no room for a δ above the margins. */
static bool widen(proof *p, double room)
{
    uint32_t count = p->task->block.end - p->task->block.begin;
    double most = 0, margin = p->task->block.margin;
    for (uint32_t i = 0; i < count; i++)
        most = fmax(most, p->t[i] / p->x[i].high);
    double delta = fmin(SLACK * margin, room / most);
    if (!(delta >= 2 * margin))
        return false;
    for (uint32_t i = 0; i < count; i++)
        p->x[i] = base_dd_add(p->x[i], base_dd_of(p->above ? delta * p->t[i] : -delta * p->t[i]));
    return true;
}

/* Takes choices that the candidate does not keep; false: none, or the policy's own is among them. */
static bool switch_choices(const proof *p)
{
    const solve_block *block = &p->task->block;
    const solve_quotient *q = block->quotient;
    bool any = false;
    for (uint32_t n = block->begin; n < block->end; n++) {
        uint32_t *taken = &p->policy[n - block->begin], old = *taken;
        if (!keeps_side(block, p->x, p->outside, n, old, p->above))
            return false;
        for (uint32_t c = q->choice_begin[n]; c < q->choice_begin[n + 1]; c++)
            if (c != old && !keeps_side(block, p->x, p->outside, n, c, p->above)) {
                *taken = c;
                any = true;
            }
    }
    return any;
}

/* ---- one side ---- */

static void write_bounds(const proof *p, double *bound)
{
    for (uint32_t i = 0; i < p->task->block.end - p->task->block.begin; i++) {
        base_dd x = p->x[i];
        double out = p->above ? (x.low > 0 ? nextafter(x.high, 2) : x.high)
                              : (x.low < 0 ? nextafter(x.high, -1) : x.high);
        bound[i] = p->above ? solve_round_above(out, 0) : solve_round_below(out, 0);
    }
}

static opac_status prove_side(proof *p, const double *start, double room, bool *proven,
                              opac_error *error)
{
    uint32_t count = p->task->block.end - p->task->block.begin;
    bool may_switch = is_decisive(p->task, p->above), done = true;
    p->outside = p->above ? p->task->upper : p->task->lower;
    *proven = false;
    for (int round = 0; round < MOST_ROUNDS && done; round++) {
        for (uint32_t i = 0; i < count; i++)
            p->x[i] = base_dd_of(start[i]);
        TRY(refine(p, &done, error));
        if (done)
            TRY(find_slack(p, &done, error));
        if (!done || !widen(p, room))
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
                                      const solve_policy_iteration *improved, double room,
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
        p.above = (side == 0) != complement; /* the decisive one first: it may change the policy */
        bool *proven = p.above ? &bounds->has_high : &bounds->has_low;
        const double *start = p.above ? improved->value.high : improved->value.low;
        TRY_OR(done, prove_side(&p, start, room, proven, error));
        if (*proven)
            write_bounds(&p, p.above ? bounds->high : bounds->low);
    }
done:
    *work = p.work;
    graph_workspace_release(task->workspace, place);
    return status;
}
