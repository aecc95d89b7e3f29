/* SPDX-License-Identifier: MIT */
/*
 * The known part of a process, its classes, and nets. All linear, but for the
 * classes where lower ends are 0: components are searched again until no choice
 * is dropped, which is states × edges at worst and a few rounds in practice.
 *
 * Where an optimistic model can stay. Let X be a set of states with choices, connected by their
 * edges, such that all edges of a choice with a lower end above 0 lead into X, and the
 * upper ends of those into X sum to 1 or more. Then some policy and some model within
 * the intervals never leave X, and iteration from above would take any value for X for granted. But
 * the graph is known, so that such a run is lost. A model may leave by any one of the edges out of X
 * with a probability as small as it likes, so the value of X is the greatest of those of
 * its ways out. That it is one value for all of X, and at least this, makes u inductive;
 * hence a set that is too large costs precision only, and sums need no care.
 */
#include <string.h>

#include "graph/scc.h"
#include "solve/interval_parts.h"

static const double rounding = 1e-12; /* of sums of ends */

/* ---- the known part ---- */

static opac_status fail_choice(const graph_process *process, uint32_t choice, const char *what,
                               opac_error *error)
{
    uint32_t s = 0;
    while (process->choice_begin[s + 1] <= choice)
        s++;
    return base_fail(error, OPAC_ERROR_ARGUMENT, "choice %u of state %u: %s",
                     (unsigned)(choice - process->choice_begin[s]), (unsigned)s, what);
}

static opac_status check_choice(const solve_interval_problem *problem, uint32_t c,
                                solve_interval_known *known, opac_error *error)
{
    const graph_process *process = problem->process;
    double least = 0, most = 0;
    for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++) {
        double lower = problem->lower[e], upper = problem->upper[e];
        if (!(0 <= lower && lower <= upper && upper <= 1 && 0 < upper))
            return fail_choice(process, c,
                               "expected an interval within 0 and 1, with an upper end above 0",
                               error);
        least += lower;
        most += upper;
        if (lower <= 0)
            known->zero_edges = true;
    }
    if (least > 1 + rounding)
        return fail_choice(process, c, "expected lower ends that sum to at most 1", error);
    if (most < 1 - rounding)
        return fail_choice(process, c, "expected upper ends that sum to at least 1", error);
    return OPAC_OK;
}

typedef struct reduction {
    uint32_t *choice_begin, *edge_begin, *target, *origin;
    double *lower, *upper;
    uint64_t *marks;
} reduction;

static opac_status take_reduction(const graph_process *process, graph_workspace *workspace,
                                  reduction *r, opac_error *error)
{
    r->choice_begin = graph_take_u32(workspace, (size_t)process->state_count + 1);
    r->edge_begin = graph_take_u32(workspace, (size_t)process->choice_count + 1);
    r->target = graph_take_u32(workspace, process->edge_count);
    r->origin = graph_take_u32(workspace, process->choice_count);
    r->lower = graph_take(workspace, process->edge_count, sizeof *r->lower);
    r->upper = graph_take(workspace, process->edge_count, sizeof *r->upper);
    r->marks = graph_take(workspace, process->choice_count, sizeof *r->marks);
    if (r->choice_begin == NULL || r->edge_begin == NULL || r->target == NULL ||
        r->origin == NULL || r->lower == NULL || r->upper == NULL || r->marks == NULL)
        return base_fail_memory(error);
    return OPAC_OK;
}

static void copy_choice(const solve_interval_problem *problem, uint32_t c, reduction *r,
                        solve_interval_known *known)
{
    const graph_process *process = problem->process;
    graph_process *to = &known->process;
    uint32_t begin = process->edge_begin[c], count = process->edge_begin[c + 1] - begin;
    memcpy(r->target + to->edge_count, process->target + begin, count * sizeof *r->target);
    memcpy(r->lower + to->edge_count, problem->lower + begin, count * sizeof *r->lower);
    memcpy(r->upper + to->edge_count, problem->upper + begin, count * sizeof *r->upper);
    r->origin[to->choice_count] = c;
    r->marks[to->choice_count] = problem->marks[c];
    to->edge_count += count;
    r->edge_begin[++to->choice_count] = to->edge_count;
    if (known->widest < count)
        known->widest = count;
}

opac_status solve_interval_reduce(const solve_interval_problem *problem, graph_workspace *workspace,
                                  solve_interval_known *known, opac_error *error)
{
    const graph_process *process = problem->process;
    reduction r;
    *known = (solve_interval_known){.process = {.state_count = process->state_count}};
    TRY(take_reduction(process, workspace, &r, error));
    TRY(graph_take_set(workspace, process->state_count, &known->hopes, error));
    r.choice_begin[0] = r.edge_begin[0] = 0;
    for (uint32_t s = 0; s < process->state_count; s++) {
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
            if (problem->unknown != NULL && base_bitset_has(problem->unknown, c)) {
                base_bitset_add(&known->hopes, s);
                continue;
            }
            TRY(check_choice(problem, c, known, error));
            copy_choice(problem, c, &r, known);
        }
        r.choice_begin[s + 1] = known->process.choice_count;
    }
    known->process.choice_begin = r.choice_begin;
    known->process.edge_begin = r.edge_begin;
    known->process.target = r.target;
    known->lower = r.lower;
    known->upper = r.upper;
    known->marks = r.marks;
    known->origin = r.origin;
    return OPAC_OK;
}

/* ---- classes ---- */

/* Can an optimistic model stay in the component of s? */
static bool choice_stays(const solve_interval_known *known, const uint32_t *component, uint32_t s,
                         uint32_t c)
{
    double inside = 0;
    for (uint32_t e = known->process.edge_begin[c]; e < known->process.edge_begin[c + 1]; e++) {
        if (component[known->process.target[e]] == component[s])
            inside += known->upper[e];
        else if (known->lower[e] > 0)
            return false;
    }
    return inside >= 1 - rounding;
}

/* Drops the choices that cannot stay, and the states that have none left. Were there any? */
static bool drop_leaving(const solve_interval_known *known, const uint32_t *component,
                         base_bitset *states, base_bitset *choices)
{
    const graph_process *process = &known->process;
    bool dropped = false;
    for (uint32_t s = 0; s < process->state_count; s++) {
        if (!base_bitset_has(states, s))
            continue;
        bool left = false;
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
            if (!base_bitset_has(choices, c))
                continue;
            if (choice_stays(known, component, s, c)) {
                left = true;
            } else {
                base_bitset_remove(choices, c);
                dropped = true;
            }
        }
        if (!left) {
            base_bitset_remove(states, s);
            dropped = true;
        }
    }
    return dropped;
}

static opac_status find_loose(const solve_interval_known *known, graph_workspace *workspace,
                              graph_mec *classes, opac_error *error)
{
    const graph_process *process = &known->process;
    base_bitset states;
    graph_scc scc;
    graph_groups groups;
    TRY(graph_take_set(workspace, process->state_count, &states, error));
    TRY(graph_take_set(workspace, process->choice_count, &classes->choices, error));
    base_bitset_fill(&states);
    base_bitset_fill(&classes->choices);
    graph_part part = {.states = &states, .choices = &classes->choices};
    for (;;) {
        graph_place place = graph_workspace_mark(workspace);
        TRY(graph_scc_find(process, part, workspace, &scc, error));
        if (!drop_leaving(known, scc.component, &states, &classes->choices))
            break;
        graph_workspace_release(workspace, place);
    }
    TRY(graph_group_states(scc.component, process->state_count, scc.count, workspace, &groups,
                           error));
    classes->count = scc.count;
    classes->component = scc.component;
    classes->begin = groups.begin;
    classes->state = groups.state;
    return OPAC_OK;
}

opac_status solve_interval_classes(const solve_interval_known *known, graph_workspace *workspace,
                                   graph_mec *classes, opac_error *error)
{
    *classes = (graph_mec){0};
    return known->zero_edges
               ? find_loose(known, workspace, classes, error)
               : graph_mec_find(&known->process, (graph_part){0}, workspace, classes, error);
}

/* ---- nets ---- */

typedef struct weaving {
    const solve_interval_known *known;
    const graph_mec *classes;
    uint32_t *node, *choice_begin, *edge_begin, *target, *origin;
    double *lower, *upper;
    uint32_t node_count, choice_count, edge_count;
} weaving;

static opac_status take_weaving(weaving *w, graph_workspace *workspace, solve_interval_net *net,
                                opac_error *error)
{
    const graph_process *process = &w->known->process;
    size_t edges = process->edge_count; /* and no more choices, since each has an edge */
    w->node = graph_take_u32(workspace, process->state_count);
    w->choice_begin = graph_take_u32(workspace, (size_t)process->state_count + 3);
    w->edge_begin = graph_take_u32(workspace, edges + 1);
    w->target = graph_take_u32(workspace, edges);
    w->origin = graph_take_u32(workspace, edges);
    w->lower = graph_take(workspace, edges, sizeof *w->lower);
    w->upper = graph_take(workspace, edges, sizeof *w->upper);
    net->order = graph_take_u32(workspace, edges);
    net->scratch = graph_take(workspace, w->known->widest, sizeof *net->scratch);
    if (w->node == NULL || w->choice_begin == NULL || w->edge_begin == NULL || w->target == NULL ||
        w->origin == NULL || w->lower == NULL || w->upper == NULL || net->order == NULL ||
        net->scratch == NULL)
        return base_fail_memory(error);
    return OPAC_OK;
}

/* A class with a state of one is ONE: its states reach each other. */
static void name_nodes(weaving *w, const base_bitset *one, const base_bitset *zero)
{
    const graph_mec *classes = w->classes;
    w->node_count = SOLVE_INTERVAL_OTHERS;
    for (uint32_t s = 0; s < w->known->process.state_count; s++)
        w->node[s] = base_bitset_has(one, s)    ? (uint32_t)SOLVE_INTERVAL_ONE
                     : base_bitset_has(zero, s) ? (uint32_t)SOLVE_INTERVAL_ZERO
                                                : GRAPH_NONE;
    for (uint32_t i = 0; i < classes->count; i++) {
        bool any = false, all = true;
        for (uint32_t j = classes->begin[i]; j < classes->begin[i + 1]; j++) {
            any |= w->node[classes->state[j]] == SOLVE_INTERVAL_ONE;
            all &= w->node[classes->state[j]] == SOLVE_INTERVAL_ZERO;
        }
        uint32_t name = any   ? (uint32_t)SOLVE_INTERVAL_ONE
                        : all ? (uint32_t)SOLVE_INTERVAL_ZERO
                              : w->node_count++;
        for (uint32_t j = classes->begin[i]; j < classes->begin[i + 1]; j++)
            w->node[classes->state[j]] = name;
    }
    for (uint32_t s = 0; s < w->known->process.state_count; s++)
        if (w->node[s] == GRAPH_NONE)
            w->node[s] = w->node_count++;
}

static void add_edge(weaving *w, uint32_t node, double lower, double upper)
{
    w->target[w->edge_count] = node;
    w->lower[w->edge_count] = lower;
    w->upper[w->edge_count++] = upper;
}

static void end_choice(weaving *w, uint32_t c)
{
    w->origin[w->choice_count] = c;
    w->edge_begin[++w->choice_count] = w->edge_count;
}

static void weave_choice(weaving *w, uint32_t s, uint32_t c)
{
    const graph_process *process = &w->known->process;
    bool stays = base_bitset_has(&w->classes->choices, c);
    for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++) {
        uint32_t node = w->node[process->target[e]];
        if (!stays) {
            add_edge(w, node, w->known->lower[e], w->known->upper[e]);
        } else if (node != w->node[s]) {
            add_edge(w, node, 1, 1);
            end_choice(w, c);
        }
    }
    if (!stays)
        end_choice(w, c);
}

static void weave(weaving *w, const graph_groups *groups)
{
    const graph_process *process = &w->known->process;
    w->edge_begin[0] = 0;
    for (uint32_t i = 0; i < w->node_count; i++) {
        w->choice_begin[i] = w->choice_count;
        if (i < SOLVE_INTERVAL_OTHERS)
            continue;
        for (uint32_t j = groups->begin[i]; j < groups->begin[i + 1]; j++) {
            uint32_t s = groups->state[j];
            for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
                weave_choice(w, s, c);
        }
    }
    w->choice_begin[w->node_count] = w->choice_count;
}

opac_status solve_interval_net_build(const solve_interval_known *known, const graph_mec *classes,
                                     const base_bitset *one, const base_bitset *zero,
                                     graph_workspace *workspace, solve_interval_net *net,
                                     opac_error *error)
{
    weaving w = {.known = known, .classes = classes};
    graph_groups groups;
    *net = (solve_interval_net){0};
    TRY(take_weaving(&w, workspace, net, error));
    name_nodes(&w, one, zero);
    graph_place scratch = graph_workspace_mark(workspace);
    TRY(graph_group_states(w.node, known->process.state_count, w.node_count, workspace, &groups,
                           error));
    weave(&w, &groups);
    graph_workspace_release(workspace, scratch);
    for (uint32_t c = 0; c < w.choice_count; c++)
        for (uint32_t e = w.edge_begin[c]; e < w.edge_begin[c + 1]; e++)
            net->order[e] = e - w.edge_begin[c];
    net->lower = w.lower;
    net->upper = w.upper;
    net->origin = w.origin;
    net->node = w.node;
    return graph_process_borrow(w.node_count, w.choice_count, w.edge_count, w.choice_begin,
                                w.edge_begin, w.target, NULL, &net->graph, error);
}
