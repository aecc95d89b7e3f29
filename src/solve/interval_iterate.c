/* SPDX-License-Identifier: MIT */
/*
 * Values of a net, by strongly connected block, in the order in which every
 * block comes after those that it leads to.
 *
 *     one node without a loop ──► one evaluation
 *     else  sweeps from below ─┬─► hardly move: a vector above them, at most the precision
 *             ▲                │   away, is proven by sweeps ──► done
 *             └────────────────┤
 *                              └─► still move after some sweeps, the block is small: policies and
 *                                  models by elimination (interval_policy.c), proven by sweeps ──► done
 *
 * Sweeps are Gauss-Seidel, forward and backward in turn. From below, a value
 * is replaced when it grows, by the step of the choice that is noted with it, which is
 * rounded down: afterwards every successor has at least the value that the step was made with,
 * so that x ≤ Φ(x) for the noted choices, at any time. From above, y is
 * inductive after a sweep in which no step exceeds its node: it replaces each y by its step, and
 * later ones only fall.
 *
 * The result is as near to the fixed point as the precision if the block was finished as above,
 * with its share of the precision: blocks on a path share it. A block that takes more than
 * most_sweeps is left as it is, with what is proven: from above by sweeps from 1.
 */
#include "solve/interval_iterate.h"

#include "graph/scc.h"

enum {
    SWEEPS_FIRST = 8, /* before policies are tried */
    SWEEPS_PROOF = 4,
    MOST_SWEEPS = 2000, /* in a block, or as many as these steps of nodes allow */
    MOST_STEPS = 50000000,
    FEW_STEPS = 400000
};

bool solve_interval_is_cut(solve_interval_iteration *iteration)
{
    const solve_interval_options *o = iteration->options;
    if (!iteration->is_cut && o->stop != NULL)
        iteration->is_cut = o->stop(o->stop_context);
    return iteration->is_cut;
}

/* ---- sweeps ---- */

double solve_interval_best(const solve_interval_work *w, uint32_t node, const double *value,
                           uint32_t *choice)
{
    const solve_interval_net *net = w->iteration->net;
    double best = -1;
    for (uint32_t c = net->graph.choice_begin[node]; c < net->graph.choice_begin[node + 1]; c++) {
        double worth = solve_interval_worth(net, c, value, w->iteration->optimistic);
        if (worth > best) {
            best = worth;
            *choice = c;
        }
    }
    return best;
}

static inline uint32_t node_in_turn(const solve_interval_work *w, uint32_t i, bool backward)
{
    return w->node[backward ? w->count - 1 - i : i];
}

/* Counts the work of a node; true: the run is over, and what it computes is not used. */
static inline bool is_over(const solve_interval_work *w, uint32_t node)
{
    return graph_spend(w->workspace, 1 + graph_state_edges(&w->iteration->net->graph, node));
}

/* Raises what can be raised. By how much at most? */
static double raise_values(solve_interval_work *w, bool backward)
{
    solve_interval_iteration *iteration = w->iteration;
    double change = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t node = node_in_turn(w, i, backward), choice = GRAPH_NONE;
        if (is_over(w, node))
            return change;
        double best = solve_interval_best(w, node, w->below, &choice);
        if (!(best > w->below[node]))
            continue;
        if (best - w->below[node] > change)
            change = best - w->below[node];
        w->below[node] = best;
        iteration->choice[node] = choice;
    }
    w->sweeps++;
    return change;
}

bool solve_interval_prove_above(solve_interval_work *w, double *y, uint32_t most_sweeps)
{
    for (uint32_t sweep = 0; sweep < most_sweeps; sweep++) {
        bool fails = false, moved = false;
        for (uint32_t i = 0; i < w->count; i++) {
            uint32_t node = node_in_turn(w, i, sweep % 2 == 1), choice;
            if (is_over(w, node))
                return false;
            double best = solve_interval_best(w, node, y, &choice);
            fails |= best > y[node];
            moved |= best < y[node];
            if (best < y[node])
                y[node] = best < 0 ? 0 : best;
        }
        w->sweeps++;
        if (!fails)
            return true;
        if (!moved)
            return false;
    }
    return false;
}

bool solve_interval_prove_below(solve_interval_work *w, double *x, uint32_t most_sweeps)
{
    for (uint32_t sweep = 0; sweep < most_sweeps; sweep++) {
        bool fails = false;
        for (uint32_t i = 0; i < w->count; i++) {
            uint32_t node = node_in_turn(w, i, sweep % 2 == 1), choice = GRAPH_NONE;
            if (is_over(w, node))
                return false;
            double best = solve_interval_best(w, node, x, &choice);
            if (best < x[node]) {
                fails = true;
                x[node] = best < 0 ? 0 : best;
            }
            w->iteration->choice[node] = choice;
        }
        w->sweeps++;
        if (!fails)
            return true;
    }
    return false;
}

/* ---- blocks ---- */

/* One node, no loop. */
static bool is_trivial(const solve_interval_work *w)
{
    const graph_process *graph = &w->iteration->net->graph;
    if (w->count != 1)
        return false;
    uint32_t node = w->node[0], begin = graph->choice_begin[node];
    for (uint32_t e = graph->edge_begin[begin];
         e < graph->edge_begin[graph->choice_begin[node + 1]]; e++)
        if (graph->target[e] == node)
            return false;
    return true;
}

static void evaluate_once(solve_interval_work *w)
{
    solve_interval_iteration *iteration = w->iteration;
    uint32_t node = w->node[0], choice = GRAPH_NONE;
    if (is_over(w, node))
        return;
    double best = solve_interval_best(w, node, iteration->value, &choice);
    iteration->value[node] = best < 0 ? 0 : best;
    iteration->choice[node] = choice;
}

/* Is the vector at this distance above what was reached inductive? */
static bool try_above(solve_interval_work *w, double distance, uint32_t sweeps)
{
    for (uint32_t i = 0; i < w->count; i++) {
        double y = w->below[w->node[i]] + distance;
        w->above[w->node[i]] = y < 1 ? y : 1;
    }
    return solve_interval_prove_above(w, w->above, sweeps);
}

static void keep(solve_interval_work *w, const double *vector)
{
    for (uint32_t i = 0; i < w->count; i++)
        w->iteration->value[w->node[i]] = vector[w->node[i]];
}

/* What to begin with, if it is proven; else 0. */
static void begin_below(solve_interval_work *w)
{
    solve_interval_iteration *iteration = w->iteration;
    for (uint32_t i = 0; i < w->count; i++)
        w->below[w->node[i]] = iteration->start[w->node[i]];
    if (solve_interval_prove_below(w, w->below, SWEEPS_FIRST))
        return;
    for (uint32_t i = 0; i < w->count; i++) {
        w->below[w->node[i]] = 0;
        iteration->choice[w->node[i]] = iteration->net->graph.choice_begin[w->node[i]];
    }
}

/* Where policies were tried, and led nowhere, sweeps are a poor substitute: of these there are few. */
static uint32_t most_sweeps(const solve_interval_work *w)
{
    uint32_t steps = w->is_tried ? FEW_STEPS : MOST_STEPS;
    uint32_t sweeps = w->count > 0 ? steps / w->count : 0;
    return sweeps > MOST_SWEEPS ? sweeps : MOST_SWEEPS;
}

/* What was the bound of a problem before may still be one, if it is a little more. */
static bool try_hope(solve_interval_work *w, double more)
{
    if (w->iteration->hope == NULL)
        return false;
    for (uint32_t i = 0; i < w->count; i++) {
        double y = w->iteration->hope[w->node[i]] + more;
        w->above[w->node[i]] = y < 1 ? y : 1;
    }
    return solve_interval_prove_above(w, w->above, SWEEPS_PROOF);
}

/* From above, by sweeps from what is a bound, or from 1: sound whenever it stops. */
static void fall_back(solve_interval_work *w)
{
    bool is_bound = try_hope(w, 0) || try_hope(w, w->share) || try_hope(w, 16 * w->share);
    for (uint32_t i = 0; i < w->count && !is_bound; i++)
        w->above[w->node[i]] = 1;
    for (uint32_t sweep = 0; sweep < most_sweeps(w) / 4; sweep++) {
        solve_interval_prove_above(w, w->above, 1);
        if (solve_interval_is_cut(w->iteration) || base_work_stopped(w->workspace->work))
            break;
    }
}

static opac_status sweep_block(solve_interval_work *w, opac_error *error)
{
    const bool optimistic = w->iteration->optimistic;
    double small = w->share / 16;
    for (uint32_t sweep = 0; sweep < most_sweeps(w); sweep++) {
        if (solve_interval_is_cut(w->iteration) || base_work_stopped(w->workspace->work))
            break;
        double change = raise_values(w, sweep % 2 == 1);
        if (change <= small) {
            if (try_above(w, w->share * 0.75, SWEEPS_PROOF + sweep / 2)) {
                keep(w, optimistic ? w->above : w->below);
                return OPAC_OK;
            }
            if (change <= w->share * 1e-6 && !optimistic)
                break; /* a model that stalls is above, whatever one tries */
            small /= 4;
        }
        if (sweep + 1 == SWEEPS_FIRST) {
            bool done = false;
            TRY(solve_interval_try_policies(w, &done, error));
            if (done)
                return OPAC_OK;
            w->is_tried = w->count <= SOLVE_INTERVAL_SMALL;
        }
    }
    if (!optimistic) {
        keep(w, w->below);
        return OPAC_OK;
    }
    fall_back(w);
    keep(w, w->above);
    return OPAC_OK;
}

static opac_status solve_block(solve_interval_work *w, opac_error *error)
{
    opac_status status = OPAC_OK;
    if (is_trivial(w)) {
        evaluate_once(w);
        return OPAC_OK;
    }
    for (uint32_t i = 0; i < w->count; i++)
        w->place[w->node[i]] = i;
    w->is_tried = false;
    begin_below(w);
    status = sweep_block(w, error);
    for (uint32_t i = 0; i < w->count; i++)
        w->place[w->node[i]] = GRAPH_NONE;
    w->total_sweeps += (uint64_t)w->sweeps * w->count;
    w->sweeps = 0;
    return status;
}

/* ---- the net ---- */

/* On how many blocks that are not trivial, at most, a path comes by. */
static opac_status find_depth(const graph_process *graph, const graph_scc *scc,
                              graph_workspace *workspace, uint32_t *depth, opac_error *error)
{
    base_bitset bottom, trivial;
    graph_place place = graph_workspace_mark(workspace);
    uint32_t *level = graph_take_u32(workspace, scc->count);
    opac_status status;
    graph_groups groups;
    *depth = 1;
    if (level == NULL)
        TRY_OR(done, base_fail_memory(error));
    TRY_OR(done,
           graph_scc_classify(graph, (graph_part){0}, scc, workspace, &bottom, &trivial, error));
    TRY_OR(done, graph_group_states(scc->component, graph->state_count, scc->count, workspace,
                                    &groups, error));
    for (uint32_t i = 0; i < scc->count; i++) {
        level[i] = 0;
        for (uint32_t j = groups.begin[i]; j < groups.begin[i + 1]; j++) {
            uint32_t s = groups.state[j];
            for (uint32_t e = graph->edge_begin[graph->choice_begin[s]];
                 e < graph->edge_begin[graph->choice_begin[s + 1]]; e++) {
                uint32_t other = scc->component[graph->target[e]];
                if (other != i && level[i] < level[other])
                    level[i] = level[other];
            }
        }
        level[i] += !base_bitset_has(&trivial, i);
        if (*depth < level[i])
            *depth = level[i];
    }
done:
    graph_workspace_release(workspace, place);
    return status;
}

static opac_status take_work(solve_interval_work *w, graph_workspace *workspace, opac_error *error)
{
    const size_t n = w->iteration->net->graph.state_count;
    w->workspace = workspace;
    w->below = graph_take(workspace, n, sizeof *w->below);
    w->above = graph_take(workspace, n, sizeof *w->above);
    w->trial = graph_take(workspace, n, sizeof *w->trial);
    w->place = graph_take_u32(workspace, n);
    if (w->below == NULL || w->above == NULL || w->trial == NULL || w->place == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < n; i++) {
        w->iteration->value[i] = i == SOLVE_INTERVAL_ONE ? 1 : 0;
        w->below[i] = w->above[i] = w->trial[i] = w->iteration->value[i];
        w->iteration->choice[i] = GRAPH_NONE;
        w->place[i] = GRAPH_NONE;
    }
    return OPAC_OK;
}

static void spread_result(solve_interval_work *w)
{
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t node = w->node[i];
        w->below[node] = w->above[node] = w->trial[node] = w->iteration->value[node];
    }
}

static opac_status solve_blocks(solve_interval_work *w, const graph_groups *groups, uint32_t count,
                                opac_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        w->node = groups->state + groups->begin[i];
        w->count = groups->begin[i + 1] - groups->begin[i];
        if (w->node[0] < SOLVE_INTERVAL_OTHERS)
            continue;
        if (i % 1024 == 0)
            solve_interval_is_cut(w->iteration);
        TRY(solve_block(w, error));
        spread_result(w);
        TRY(graph_workspace_check(w->workspace, error));
    }
    return OPAC_OK;
}

opac_status solve_interval_iterate(solve_interval_iteration *iteration, graph_workspace *workspace,
                                   opac_error *error)
{
    const graph_process *graph = &iteration->net->graph;
    solve_interval_work w = {.iteration = iteration};
    graph_scc scc;
    graph_groups groups;
    uint32_t depth;
    graph_place place = graph_workspace_mark(workspace);
    opac_status status;
    TRY_OR(done, take_work(&w, workspace, error));
    TRY_OR(done, graph_scc_find(graph, (graph_part){0}, workspace, &scc, error));
    TRY_OR(done, graph_group_states(scc.component, graph->state_count, scc.count, workspace,
                                    &groups, error));
    TRY_OR(done, find_depth(graph, &scc, workspace, &depth, error));
    w.share = iteration->precision / depth;
    status = solve_blocks(&w, &groups, scc.count, error);
    iteration->sweeps += 1 + w.total_sweeps / graph->state_count;
done:
    graph_workspace_release(workspace, place);
    return status;
}
