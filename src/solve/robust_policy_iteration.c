/* SPDX-License-Identifier: MIT */
/* The chain is a quotient without intervals whose nodes have one choice, that of the policy. */
#include "solve/robust_policy_iteration.h"

#include <math.h>
#include <string.h>

#include "solve/eliminate.h"
#include "solve/prove.h"
#include "solve/robust.h"

enum {
    MOST_ROUNDS = 60,
    PROOF_SWEEPS = 32
};
#define SMALLEST_TOLL 1e-14

typedef struct improving {
    solve_block_task *task;
    const solve_quotient *q;
    double
        *value; /* by node: the array of the bound, which holds the values during the iteration */
    uint32_t *policy;     /* by node of the block, from its first */
    solve_quotient chain; /* choice i is that of node i of the block */
    uint32_t *edge_begin, *target, *row;
    double *prob, *gain, *loss, *q_row;
    double *x, *t, *visits; /* by node of the block */
    double toll;            /* negative for a lower bound */
    uint64_t work_left;
} improving;

/* The sum over the nodes of the edges of their longest choice. */
static uint64_t count_edges(const solve_block_task *task, uint32_t *longest)
{
    const solve_quotient *q = task->block.quotient;
    uint64_t edges = 0;
    *longest = 0;
    for (uint32_t n = task->block.begin; n < task->block.end; n++) {
        uint32_t most = 0;
        for (uint32_t c = q->choice_begin[n]; c < q->choice_begin[n + 1]; c++)
            most = solve_choice_edges(q, c) > most ? solve_choice_edges(q, c) : most;
        edges += most;
        *longest = most > *longest ? most : *longest;
    }
    return edges;
}

static opac_status take_chain(improving *m, graph_workspace *workspace, opac_error *error)
{
    const size_t n = m->task->block.end - m->task->block.begin;
    uint32_t longest;
    uint64_t edges = count_edges(m->task, &longest);
    m->policy = graph_take_u32(workspace, n);
    m->row = graph_take_u32(workspace, n);
    m->edge_begin = graph_take_u32(workspace, n + 1);
    m->target = graph_take_u32(workspace, edges);
    m->prob = graph_take(workspace, edges, sizeof *m->prob);
    m->q_row = graph_take(workspace, longest, sizeof *m->q_row);
    m->gain = graph_take(workspace, 5 * n, sizeof *m->gain);
    if (m->policy == NULL || m->row == NULL || m->edge_begin == NULL || m->target == NULL ||
        m->prob == NULL || m->q_row == NULL || m->gain == NULL)
        return base_fail_memory(error);
    m->loss = m->gain + n;
    m->x = m->gain + 2 * n;
    m->t = m->gain + 3 * n;
    m->visits = m->gain + 4 * n;
    for (uint32_t i = 0; i < n; i++) {
        m->policy[i] = GRAPH_NONE;
        m->row[i] = i;
    }
    m->edge_begin[0] = 0;
    m->chain = (solve_quotient){.edge_begin = m->edge_begin,
                                .target = m->target,
                                .prob = m->prob,
                                .gain = m->gain,
                                .loss = m->loss};
    return OPAC_OK;
}

/* Selects the best choice of a node and returns its value. For a lower bound, keeps one that is as good. */
static double improve_choice(improving *m, uint32_t i)
{
    uint32_t node = m->task->block.begin + i, choice;
    double best = solve_robust_best(m->q, node, m->value, &choice);
    if (!m->q->greatest && m->policy[i] != GRAPH_NONE) {
        double before = solve_robust_backup(m->q, m->policy[i], m->value, true);
        if (best <= before + fabs(m->toll) / 64)
            return before;
    }
    m->policy[i] = choice;
    return best;
}

/* Fills the row of a node: its best choice, with the best or worst model. Returns its new value. */
static double fill_row(improving *m, uint32_t i)
{
    const solve_quotient *q = m->q;
    double best = improve_choice(m, i) + m->toll;
    uint32_t begin = q->edge_begin[m->policy[i]], at = m->edge_begin[i];
    uint32_t count = q->edge_begin[m->policy[i] + 1] - begin;
    bool ends = m->toll > 0 ? best >= 1 : m->toll < 0 && best <= 0;
    m->visits[i] = ends ? 0 : 1;
    m->gain[i] = ends && m->toll > 0 ? 1 : 0;
    m->loss[i] = ends && m->toll < 0 ? 1 : 0;
    solve_interval_distribution(q->low + begin, q->high + begin, q->order + begin, count,
                                q->greatest, m->q_row);
    for (uint32_t e = 0; e < count && !ends; e++)
        if (m->q_row[e] > 0) {
            m->target[at] = q->target[begin + e];
            m->prob[at++] = m->q_row[e];
        }
    m->edge_begin[i + 1] = at;
    return ends ? m->gain[i] : best;
}

/* Computes x and t of the chain. */
static opac_status evaluate(improving *m, bool *done, opac_error *error)
{
    solve_block block = m->task->block;
    block.quotient = &m->chain;
    const solve_evaluation visits = {.high = m->visits};
    solve_evaluation result = {.low = m->x, .high = m->t};
    solve_elimination elimination = {
        .block = &block,
        .policy = m->row,
        .lower = m->value,
        .upper = m->value,
        .visits = &visits,
        .closed_is_lost = !m->q->greatest,
        .allow_underflow = true, /* because widths are absolute */
        .work_limit = m->work_left,
        .cancel = m->task->cancel,
    };
    TRY(solve_eliminate(&elimination, m->task->workspace, &result, error));
    m->work_left -= result.work < m->work_left ? result.work : m->work_left;
    *done = result.done;
    return OPAC_OK;
}

/* Whether a change of values is negligible compared with the toll. */
static bool is_negligible(const improving *m, double moved)
{
    return moved <= fabs(m->toll) / 64;
}

/* One round. *moved: greatest change of a value; HUGE_VAL: elimination failed. *steps: maximum of t. */
static opac_status improve(improving *m, double *moved, double *steps, opac_error *error)
{
    const uint32_t count = m->task->block.end - m->task->block.begin;
    double *value = m->value + m->task->block.begin;
    bool done;
    *moved = 0;
    for (uint32_t i = 0; i < count; i++)
        *moved = fmax(*moved, fabs(fill_row(m, i) - value[i]));
    if (m->toll != 0 && is_negligible(m, *moved)) {
        *moved = 0; /* the values of the chain would not change either */
        return OPAC_OK;
    }
    TRY(evaluate(m, &done, error));
    *moved = done ? 0 : HUGE_VAL;
    *steps = 1;
    for (uint32_t i = 0; i < count && done; i++) {
        double fresh = m->x[i] + m->toll * m->t[i];
        *moved = fmax(*moved, fabs(value[i] - fresh));
        value[i] = fresh;
        *steps = fmax(*steps, m->t[i]);
    }
    return OPAC_OK;
}

/* Iterates until the values no longer change. *found: there is a candidate. */
static opac_status find_candidate(improving *m, bool *found, opac_error *error)
{
    double steps = 1, moved;
    *found = false;
    m->toll = 0; /* a toll that is too large would end runs early, and make t too small */
    for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
        if (solve_should_stop(m->task->stop))
            return OPAC_OK;
        TRY(improve(m, &moved, &steps, error));
        double toll = m->task->width / 4 / steps;
        if (moved == HUGE_VAL || toll < SMALLEST_TOLL)
            return OPAC_OK;
        if (m->toll == 0 || fabs(m->toll) > 2 * toll) {
            m->toll = m->q->greatest ? toll : -toll;
        } else if (is_negligible(m, moved)) {
            *found = true;
            return OPAC_OK;
        }
    }
    *found = m->toll != 0;
    return OPAC_OK;
}

opac_status solve_robust_policy_iterate(solve_block_task *task, const double *x,
                                        uint64_t work_limit, opac_error *error)
{
    const solve_quotient *q = task->block.quotient;
    const uint32_t begin = task->block.begin, count = task->block.end - begin;
    improving m = {.task = task, .q = q, .work_left = work_limit};
    double *bound = q->greatest ? task->upper : task->lower;
    double *other = q->greatest ? task->lower : task->upper;
    graph_place place = graph_workspace_mark(task->workspace);
    double *kept = graph_take(task->workspace, count, sizeof *kept);
    bool found = false;
    opac_status status;
    if (kept == NULL)
        TRY_OR(done, base_fail_memory(error));
    TRY_OR(done, take_chain(&m, task->workspace, error));
    m.value = bound;
    memcpy(kept, bound + begin, count * sizeof *kept);
    memmove(bound + begin, x + begin, count * sizeof *kept);
    status = find_candidate(&m, &found, error);
    memcpy(m.x, bound + begin, count * sizeof *kept);
    memcpy(bound + begin, kept, count * sizeof *kept);
    task->spent += work_limit - m.work_left;
    if (status == OPAC_OK && found && solve_prove_bound(task, m.x, 1, 0, q->greatest, PROOF_SWEEPS))
        memcpy(other + begin, bound + begin, count * sizeof *kept);
done:
    task->cancelled = task->cancelled || opac_cancel_requested(task->cancel);
    graph_workspace_release(task->workspace, place);
    return status;
}
