/* SPDX-License-Identifier: MIT */
/*
 * Blocks in which sweeps hardly move: policy iteration. The best choices and the best (or worst)
 * model for the values at hand make a chain; its values follow by elimination; and so on
 * until they no longer change. Nothing of that is proven, and with a model that is the
 * opponent it may go round in circles (Pollatschek and Avi-Itzhak 1969; Condon 1992): what
 * it ends with is a candidate, which sweeps prove or not.
 *
 * So that they can, every step costs (or earns, for a bound from below) a tiny toll: the fixed point
 * of Φ(v) + toll is inductive with that much to spare in every step, which is more than
 * roundings take, and lies at most toll × expected steps from that of Φ. The
 * steps are found along with the values, and the toll is chosen for the precision. Where values are
 * 1 (or 0) but for the toll they end there; else the toll would be reason enough to go round
 * in circles near 1 for ever.
 *
 * From below, a model may stay for ever by edges whose lower end is 0: it is worth 0 there, the least
 * fixed point, and the choices that it stays with are left as soon as others are worth more.
 * Choices change only for what is strictly better: else one that the model can stay with, and that
 * seems as good as the one that leaves, would be taken again.
 *
 * Elimination without subtraction (Grassmann, Taksar, Heyman 1985; see eliminate.h),
 * in a square matrix, of which zeros are skipped: blocks of at most SOLVE_INTERVAL_SMALL nodes, and a limit
 * to the work.
 */
#include <math.h>
#include <string.h>

#include "solve/interval_iterate.h"

enum {
    MOST_ROUNDS = 60,
    MOST_WORK = 100000000, /* over all rounds: some tenths of a second */
    PROOF = 8
};

typedef struct chain {
    uint32_t n;
    double *rate;          /* n × n, row by row; the diagonal is not looked at */
    double *exit;          /* leaves the block */
    double *reward, *time; /* by node of the block; right-hand sides, then solutions */
    double *total;         /* by node: what is left of 1 without the loop */
    double *value;         /* by node of the net */
    double *q;             /* a row */
    uint32_t *columns;     /* those of a row that are not zero */
    uint64_t work;
    uint32_t rounds;
    double toll; /* negative from below */
    bool optimistic;
} chain;

static opac_status take_chain(solve_interval_work *w, chain *c, opac_error *error)
{
    const size_t n = w->count;
    size_t widest = 0;
    const graph_process *graph = &w->iteration->net->graph;
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t a = graph->choice_begin[w->node[i]]; a < graph->choice_begin[w->node[i] + 1];
             a++)
            if (widest < graph->edge_begin[a + 1] - graph->edge_begin[a])
                widest = graph->edge_begin[a + 1] - graph->edge_begin[a];
    c->n = w->count;
    c->rate = graph_take(w->workspace, n * n, sizeof *c->rate);
    c->exit = graph_take(w->workspace, n, sizeof *c->exit);
    c->reward = graph_take(w->workspace, n, sizeof *c->reward);
    c->time = graph_take(w->workspace, n, sizeof *c->time);
    c->total = graph_take(w->workspace, n, sizeof *c->total);
    c->q = graph_take(w->workspace, widest, sizeof *c->q);
    c->columns = graph_take_u32(w->workspace, n);
    if (c->rate == NULL || c->exit == NULL || c->reward == NULL || c->time == NULL ||
        c->total == NULL || c->q == NULL || c->columns == NULL)
        return base_fail_memory(error);
    return OPAC_OK;
}

/*
 * The best choice of a node. From below, the one before stays if it is as good: one that a model may
 * stay with for ever seems as good as the one that leaves.
 */
static double improve_choice(solve_interval_work *w, const chain *c, uint32_t node)
{
    uint32_t *kept = &w->iteration->choice[node],
             choice = w->iteration->net->graph.choice_begin[node];
    double best = solve_interval_best(w, node, c->value, &choice);
    if (!w->iteration->optimistic && *kept != GRAPH_NONE) {
        double before = solve_interval_worth(w->iteration->net, *kept, c->value, false);
        if (best <= before + fabs(c->toll) / 64)
            return before;
    }
    *kept = choice;
    return best;
}

/* The row of a node: its best choice, and the model that goes with it. What the node is worth by it. */
static double fill_row(solve_interval_work *w, chain *c, uint32_t i)
{
    const solve_interval_net *net = w->iteration->net;
    double best = improve_choice(w, c, w->node[i]);
    uint32_t choice = w->iteration->choice[w->node[i]];
    double *row = c->rate + (size_t)i * c->n;
    memset(row, 0, c->n * sizeof *row);
    c->exit[i] = 0;
    c->reward[i] = c->toll;
    c->time[i] = 1;
    if (c->toll > 0 ? best + c->toll >= 1 : c->toll < 0 && best + c->toll <= 0) {
        c->exit[i] = 1; /* beyond what can be proven here: the end */
        c->reward[i] = c->toll > 0 ? 1 : 0;
        return c->reward[i];
    }
    uint32_t begin = net->graph.edge_begin[choice];
    uint32_t count = net->graph.edge_begin[choice + 1] - begin;
    solve_interval_spread(net->lower + begin, net->upper + begin, net->order + begin, count,
                          w->iteration->optimistic, c->q);
    for (uint32_t e = 0; e < count; e++) {
        uint32_t target = net->graph.target[begin + e];
        if (w->place[target] != GRAPH_NONE) {
            row[w->place[target]] += c->q[e];
        } else {
            c->exit[i] += c->q[e];
            c->reward[i] += c->q[e] * c->value[target];
        }
    }
    return best + c->toll;
}

/* Takes node k, the last that is left, out of the chain. */
static void take_out(chain *c, uint32_t k)
{
    const double *row = c->rate + (size_t)k * c->n;
    uint32_t columns = 0;
    double total = c->exit[k];
    for (uint32_t j = 0; j < k; j++)
        if (row[j] > 0) {
            c->columns[columns++] = j;
            total += row[j];
        }
    c->total[k] = total;
    c->work += 2 * (uint64_t)k;
    if (!(total > 0) && !c->optimistic) { /* the model stays for ever: it is lost there */
        c->total[k] = total = c->exit[k] = c->time[k] = 1;
        c->reward[k] = 0;
    }
    if (!(total > 0))
        return;
    for (uint32_t i = 0; i < k; i++) {
        double *other = c->rate + (size_t)i * c->n;
        if (!(other[k] > 0))
            continue;
        double factor = other[k] / total;
        c->work += columns;
        for (uint32_t j = 0; j < columns; j++)
            other[c->columns[j]] += factor * row[c->columns[j]];
        c->exit[i] += factor * c->exit[k];
        c->reward[i] += factor * c->reward[k];
        c->time[i] += factor * c->time[k];
    }
}

/* Values and expected steps. False: an optimistic model never leaves, it is too much work, or cut. */
static bool solve_chain_values(solve_interval_work *w, chain *c)
{
    for (uint32_t k = c->n; k-- > 0 && c->work < MOST_WORK;) {
        if (k % 64 == 0 && solve_interval_is_cut(w->iteration))
            return false;
        uint64_t before = c->work;
        take_out(c, k);
        if (graph_spend(w->workspace, c->work - before))
            return false;
    }
    if (c->work >= MOST_WORK)
        return false;
    for (uint32_t k = 0; k < c->n; k++) {
        const double *row = c->rate + (size_t)k * c->n;
        if (!(c->total[k] > 0))
            return false;
        for (uint32_t j = 0; j < k; j++) {
            c->reward[k] += row[j] * c->reward[j];
            c->time[k] += row[j] * c->time[j];
        }
        c->reward[k] /= c->total[k];
        c->time[k] /= c->total[k];
        if (!isfinite(c->reward[k]) || !isfinite(c->time[k]))
            return false;
    }
    return true;
}

/* What is this much of the toll is none. */
static bool is_still(const chain *c, double moved)
{
    return moved <= fabs(c->toll) / 64;
}

/* One round. How far did the values move? HUGE_VAL: give up. No step moves: nor would the chain. */
static double improve(solve_interval_work *w, chain *c, double *steps)
{
    double moved = 0;
    for (uint32_t i = 0; i < c->n; i++)
        moved = fmax(moved, fabs(fill_row(w, c, i) - c->value[w->node[i]]));
    c->rounds++;
    if (c->toll != 0 && is_still(c, moved))
        return 0;
    if (!solve_chain_values(w, c))
        return HUGE_VAL;
    moved = 0;
    *steps = 1;
    for (uint32_t i = 0; i < c->n; i++) {
        double *value = &c->value[w->node[i]];
        moved = fmax(moved, fabs(*value - c->reward[i]));
        *value = c->reward[i];
        *steps = fmax(*steps, c->time[i]);
    }
    return moved;
}

/* The toll that is worth a quarter of the precision over so many steps. */
static double choose_toll(const solve_interval_work *w, double steps)
{
    double toll = w->share / 4 / steps;
    return w->iteration->optimistic ? toll : -toll;
}

/* Rounds until nothing moves. False: no candidate. */
static bool find_candidate(solve_interval_work *w, chain *c)
{
    double steps = 1;
    c->toll = 0; /* one that is too much would end runs early, and hide how long they are */
    while (c->rounds < MOST_ROUNDS) {
        if (solve_interval_is_cut(w->iteration))
            return false;
        double moved = improve(w, c, &steps);
        if (moved == HUGE_VAL)
            return false;
        double toll = choose_toll(w, steps);
        if (fabs(toll) < 1e-14)
            return false;
        if (c->toll == 0 || fabs(c->toll) > 2 * fabs(toll))
            c->toll = toll;
        else if (is_still(c, moved))
            return true;
    }
    return c->toll != 0;
}

static bool prove_candidate(solve_interval_work *w, const chain *c)
{
    solve_interval_iteration *iteration = w->iteration;
    double *vector = iteration->optimistic ? w->above : c->value;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t node = w->node[i];
        double v = fmin(1, fmax(c->value[node], 0));
        vector[node] = iteration->optimistic ? v : fmax(v, w->below[node]);
    }
    return iteration->optimistic ? solve_interval_prove_above(w, vector, PROOF)
                                 : solve_interval_prove_below(w, vector, PROOF);
}

/* Choices that were noted go with what was reached from below, and are kept for it. */
static void settle(solve_interval_work *w, const chain *c, uint32_t *noted, bool proven)
{
    solve_interval_iteration *iteration = w->iteration;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t node = w->node[i];
        if (!proven)
            iteration->choice[node] = noted[i];
        else
            iteration->value[node] = iteration->optimistic ? w->above[node] : c->value[node];
    }
}

/* From above, the values before tell what is best; they may be more than is right. */
static double begin_value(const solve_interval_work *w, uint32_t node)
{
    const double *hope = w->iteration->hope;
    return hope != NULL && hope[node] > w->below[node] ? hope[node] : w->below[node];
}

opac_status solve_interval_try_policies(solve_interval_work *w, bool *done, opac_error *error)
{
    chain c = {.optimistic = w->iteration->optimistic};
    *done = false;
    if (w->count > SOLVE_INTERVAL_SMALL)
        return OPAC_OK;
    graph_place place = graph_workspace_mark(w->workspace);
    uint32_t *noted = graph_take_u32(w->workspace, w->count);
    opac_status status = noted == NULL ? base_fail_memory(error) : take_chain(w, &c, error);
    c.value = w->trial;
    if (status == OPAC_OK) {
        for (uint32_t i = 0; i < w->count; i++) {
            noted[i] = w->iteration->choice[w->node[i]];
            c.value[w->node[i]] = begin_value(w, w->node[i]);
        }
        *done = find_candidate(w, &c) && prove_candidate(w, &c);
        settle(w, &c, noted, *done);
    }
    graph_workspace_release(w->workspace, place);
    return status;
}
