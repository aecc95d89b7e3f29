/* SPDX-License-Identifier: MIT */
/*
 * Bounds are computed by node of the quotient. Then they are checked on the states, with the original rows,
 * as a certificate is. If rounding violates an inequality (no such case is known), upper bounds are raised
 * and lower bounds are lowered until all inequalities hold.
 */
#include "solve/solve_interval.h"

#include "graph/attractor.h"
#include "solve/analysis.h"
#include "solve/extract.h"
#include "solve/optimistic_mec.h"
#include "solve/robust.h"

enum {
    MOST_ROUNDS = 64 /* rounds of lowering; afterwards bounds that do not hold become 0 */
};

typedef struct run {
    const solve_options *options;
    graph_workspace *workspace;
    double precision;
    solve_rows rows;
    solve_problem problem; /* of the rows */
    solve_analysis graph;
    double *upper, *lower;  /* by state of the rows */
    const uint32_t *policy; /* by state: attains the lower bound */
    uint32_t *rank, *pessimistic, *optimistic;
    uint32_t *order; /* by edge */
    double *scratch; /* for one row */
    solve_stop stop;
    uint64_t sweeps;
} run;

static opac_status take_run(run *r, opac_error *error)
{
    const graph_process *process = &r->rows.process;
    const size_t n = process->state_count;
    r->upper = graph_take(r->workspace, n, sizeof *r->upper);
    r->lower = graph_take(r->workspace, n, sizeof *r->lower);
    r->rank = graph_take_u32(r->workspace, n);
    r->pessimistic = graph_take_u32(r->workspace, n);
    r->optimistic = graph_take_u32(r->workspace, n);
    r->order = graph_take_u32(r->workspace, process->edge_count);
    r->scratch = graph_take(r->workspace, r->rows.longest, sizeof *r->scratch);
    if (r->upper == NULL || r->lower == NULL || r->rank == NULL || r->pessimistic == NULL ||
        r->optimistic == NULL || r->order == NULL || r->scratch == NULL)
        return base_fail_memory(error);
    for (uint32_t c = 0; c < process->choice_count; c++)
        for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
            r->order[e] = e - process->edge_begin[c];
    return OPAC_OK;
}

/* The robust backup of a choice, with values by state. */
static double backup(const run *r, uint32_t c, const double *value, bool greatest)
{
    const graph_process *process = &r->rows.process;
    uint32_t begin = process->edge_begin[c], count = process->edge_begin[c + 1] - begin;
    for (uint32_t e = 0; e < count; e++)
        r->scratch[e] = value[process->target[begin + e]];
    return solve_interval_step(r->rows.lower + begin, r->rows.upper + begin, r->scratch,
                               r->order + begin, count, greatest);
}

/* ---- values by node ---- */

/*
 * Converts a vector by state, or NULL, to one by node: the maximum over its states. Ignores invalid values.
 */
static opac_status guess_by_node(run *r, const solve_quotient *q, const double *vector,
                                 const double **by_node, opac_error *error)
{
    *by_node = NULL;
    if (vector == NULL)
        return OPAC_OK;
    double *guess = graph_take(r->workspace, q->node_count, sizeof *guess);
    if (guess == NULL)
        return base_fail_memory(error);
    for (uint32_t n = 0; n < q->node_count; n++)
        guess[n] = 0;
    for (uint32_t s = 0; s < r->rows.process.state_count && s != r->rows.unseen; s++)
        if (vector[s] > guess[q->node[s]] && vector[s] <= 1)
            guess[q->node[s]] = vector[s];
    *by_node = guess;
    return OPAC_OK;
}

static opac_status find_values(run *r, const solve_quotient *q, const double *guess_lower,
                               const double *guess_upper, solve_values *values, opac_error *error)
{
    solve_value_options options = {
        .precision = r->precision, .stop = &r->stop, .cancel = r->options->cancel};
    TRY(guess_by_node(r, q, guess_lower, &options.guess_lower, error));
    TRY(guess_by_node(r, q, guess_upper, &options.guess_upper, error));
    TRY(solve_values_find(q, &options, r->workspace, values, error));
    r->sweeps += values->sweeps;
    return OPAC_OK;
}

/* ---- the lower bound ---- */

/*
 * Computes the distances to winning states under the policy. States without one get the lower bound 0; *moved
 * is set if there are any.
 */
static opac_status find_ranks(run *r, bool *moved, opac_error *error)
{
    const graph_process *process = &r->rows.process;
    base_bitset choices;
    graph_attractor attractor;
    graph_place place = graph_workspace_mark(r->workspace);
    opac_status status;
    TRY_OR(done, graph_take_set(r->workspace, process->choice_count, &choices, error));
    for (uint32_t s = 0; s < process->state_count; s++)
        if (r->lower[s] > 0 && r->policy[s] != GRAPH_NONE)
            base_bitset_add(&choices, r->policy[s]);
    const graph_part part = {.choices = &choices};
    TRY_OR(done, graph_attract_some(process, part, &r->graph.reverse, &r->graph.winning.states,
                                    r->workspace, &attractor, error));
    for (uint32_t s = 0; s < process->state_count; s++) {
        r->rank[s] = attractor.rank[s];
        if (r->lower[s] > 0 && r->rank[s] == GRAPH_NONE) {
            r->lower[s] = 0;
            *moved = true;
        }
    }
done:
    graph_workspace_release(r->workspace, place);
    return status;
}

/* Lowers values until each is at most its backup, and has a rank unless it is 0. */
static opac_status settle_lower(run *r, opac_error *error)
{
    bool moved = true;
    for (uint32_t round = 0; moved; round++) {
        moved = false;
        TRY(find_ranks(r, &moved, error));
        for (uint32_t s = 0; s < r->rows.process.state_count; s++) {
            if (!(r->lower[s] > 0) || base_bitset_has(&r->graph.winning.states, s))
                continue;
            double step = backup(r, r->policy[s], r->lower, false);
            if (step < r->lower[s]) {
                r->lower[s] = step > r->precision && round < MOST_ROUNDS ? step : 0;
                moved = true;
            }
        }
    }
    return OPAC_OK;
}

/* The policy remains in the workspace, after the scratch. */
static opac_status find_lower(run *r, opac_error *error)
{
    const graph_max_reached *reached = &r->graph.reached;
    solve_quotient quotient;
    solve_values values;
    TRY(solve_quotient_of_components(&r->problem, &reached->zero, &reached->one, SOLVE_PESSIMISTIC,
                                     &r->graph.winning.mec, r->workspace, &quotient, error));
    TRY(find_values(r, &quotient, r->options->guess_lower, NULL, &values, error));
    const solve_extraction extraction = {.problem = &r->problem,
                                         .reverse = &r->graph.reverse,
                                         .winning = &r->graph.winning,
                                         .reached = reached,
                                         .quotient = &quotient,
                                         .bound = values.lower};
    TRY(solve_extract(&extraction, r->workspace, &r->policy, error));
    for (uint32_t s = 0; s < r->rows.process.state_count; s++)
        r->lower[s] = r->policy[s] != GRAPH_NONE ? values.lower[quotient.node[s]] : 0;
    return settle_lower(r, error);
}

/* ---- the upper bound ---- */

/* Raises values until no backup exceeds the value of its state. */
static void settle_upper(run *r)
{
    const graph_process *process = &r->rows.process;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t s = 0; s < process->state_count; s++)
            for (uint32_t c = process->choice_begin[s];
                 c < process->choice_begin[s + 1] && r->upper[s] < 1; c++) {
                double step = backup(r, c, r->upper, true);
                if (step > r->upper[s]) {
                    step += r->precision / 64;
                    r->upper[s] = step < 1 ? step : 1;
                    moved = true;
                }
            }
    }
}

/* Computes where some policy reaches winning states or unseen outcomes almost surely. */
static opac_status reach_optimistic_targets(run *r, graph_max_reached *reached, opac_error *error)
{
    base_bitset target;
    *reached = r->graph.reached;
    if (r->rows.unseen == GRAPH_NONE)
        return OPAC_OK;
    TRY(graph_take_set(r->workspace, r->rows.process.state_count, &target, error));
    base_bitset_copy(&target, &r->graph.winning.states);
    base_bitset_add(&target, r->rows.unseen);
    return graph_max_reach(&r->rows.process, (graph_part){0}, &r->graph.reverse,
                           &r->graph.winning.mec, &target, r->workspace, reached, error);
}

/* If a state of a component has value 1, so have all of them, because they reach each other. */
static void complete_one(const graph_mec *classes, base_bitset *one)
{
    for (uint32_t i = 0; i < classes->count; i++) {
        bool any = false;
        for (uint32_t j = classes->begin[i]; j < classes->begin[i + 1]; j++)
            any |= base_bitset_has(one, classes->state[j]);
        for (uint32_t j = classes->begin[i]; any && j < classes->begin[i + 1]; j++)
            base_bitset_add(one, classes->state[j]);
    }
}

static opac_status find_upper(run *r, opac_error *error)
{
    graph_mec classes = r->graph.winning.mec;
    graph_max_reached reached;
    base_bitset one;
    solve_quotient quotient;
    solve_values values;
    TRY(reach_optimistic_targets(r, &reached, error));
    TRY(graph_take_set(r->workspace, r->rows.process.state_count, &one, error));
    base_bitset_copy(&one, &reached.one);
    if (r->rows.has_zero) {
        TRY(solve_optimistic_mec_find(&r->rows, r->workspace, &classes, error));
        complete_one(&classes, &one);
    }
    TRY(solve_quotient_of_components(&r->problem, &reached.zero, &one, SOLVE_OPTIMISTIC, &classes,
                                     r->workspace, &quotient, error));
    TRY(find_values(r, &quotient, r->lower, r->options->guess_upper, &values, error));
    for (uint32_t s = 0; s < r->rows.process.state_count; s++)
        r->upper[s] = values.upper[quotient.node[s]];
    settle_upper(r);
    return OPAC_OK;
}

/* ---- policies ---- */

/* Sets choices that are nearly optimal and come closer to the target, in states without a choice. */
static opac_status approach(run *r, const base_bitset *near, const base_bitset *target,
                            opac_error *error)
{
    graph_attractor attractor;
    const graph_part part = {.choices = near};
    if (base_bitset_next(target, 0) == target->size)
        return OPAC_OK;
    graph_place place = graph_workspace_mark(r->workspace);
    opac_status status = graph_attract_some(&r->rows.process, part, &r->graph.reverse, target,
                                            r->workspace, &attractor, error);
    for (uint32_t s = 0; status == OPAC_OK && s < r->rows.process.state_count; s++)
        if (r->optimistic[s] == GRAPH_NONE)
            r->optimistic[s] = attractor.choice[s];
    graph_workspace_release(r->workspace, place);
    return status;
}

/* Sets the choices of winning states, and preferred ones that are nearly optimal; collects the nearly optimal
 * choices of other states, and in `wanted` the states with a preferred one. */
static void begin_optimistic(run *r, base_bitset *near, base_bitset *wanted)
{
    const base_bitset *preferred = r->options->preferred;
    const graph_process *process = &r->rows.process;
    for (uint32_t s = 0; s < process->state_count; s++) {
        r->optimistic[s] = r->graph.winning.choice[s];
        if (base_bitset_has(&r->graph.winning.states, s))
            continue;
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            if (backup(r, c, r->upper, true) >= r->upper[s] - 2 * r->precision) {
                base_bitset_add(near, c);
                if (preferred == NULL || !base_bitset_has(preferred, c))
                    continue;
                base_bitset_add(wanted, s);
                if (r->optimistic[s] == GRAPH_NONE)
                    r->optimistic[s] = c;
            }
    }
}

/* The first nearly optimal choice, or the first choice if there is none. */
static uint32_t first_near(const run *r, const base_bitset *near, uint32_t s)
{
    const uint32_t *choice_begin = r->rows.process.choice_begin;
    for (uint32_t c = choice_begin[s]; c < choice_begin[s + 1]; c++)
        if (base_bitset_has(near, c))
            return c;
    return choice_begin[s] < choice_begin[s + 1] ? choice_begin[s] : GRAPH_NONE;
}

static opac_status find_optimistic(run *r, opac_error *error)
{
    const graph_process *process = &r->rows.process;
    base_bitset near, unseen, wanted;
    TRY(graph_take_set(r->workspace, process->choice_count, &near, error));
    TRY(graph_take_set(r->workspace, process->state_count, &unseen, error));
    TRY(graph_take_set(r->workspace, process->state_count, &wanted, error));
    if (r->rows.unseen != GRAPH_NONE)
        base_bitset_add(&unseen, r->rows.unseen);
    begin_optimistic(r, &near, &wanted);
    if (r->options->preferred != NULL) {
        TRY(approach(r, &near, &wanted, error));
        TRY(approach(r, &near, &r->graph.winning.states, error));
    }
    TRY(approach(r, &near, &unseen, error));
    TRY(approach(r, &near, &r->graph.winning.states, error));
    for (uint32_t s = 0; s < process->state_count; s++)
        if (r->optimistic[s] == GRAPH_NONE)
            r->optimistic[s] = first_near(r, &near, s);
    return OPAC_OK;
}

static void find_pessimistic(run *r)
{
    const uint32_t *begin = r->rows.process.choice_begin;
    for (uint32_t s = 0; s < r->rows.process.state_count; s++)
        r->pessimistic[s] = r->lower[s] > 0           ? r->policy[s]
                            : begin[s] < begin[s + 1] ? begin[s]
                                                      : GRAPH_NONE;
}

/* ---- phases ---- */

/* Runs a phase and releases its scratch. */
static opac_status run_phase(run *r, opac_status (*phase)(run *r, opac_error *error),
                             opac_error *error)
{
    graph_place place = graph_workspace_mark(r->workspace);
    opac_status status = phase(r, error);
    if (status == OPAC_OK && phase == find_lower)
        find_pessimistic(r); /* before the policy is released */
    graph_workspace_release(r->workspace, place);
    TRY(status);
    return graph_workspace_check(r->workspace, error);
}

opac_status solve_intervals(const solve_problem *problem, const solve_options *options,
                            graph_workspace *workspace, solve_interval_result *result,
                            opac_error *error)
{
    run r = {.options = options,
             .workspace = workspace,
             .precision = options->precision,
             .stop = {.ask = options->stop, .context = options->stop_context}};
    TRY(solve_rows_complete(problem, workspace, &r.rows, error));
    r.problem = (solve_problem){.process = &r.rows.process,
                                .marks = problem->marks,
                                .pairs = problem->pairs,
                                .pair_count = problem->pair_count,
                                .lower = r.rows.lower,
                                .upper = r.rows.upper};
    TRY(take_run(&r, error));
    TRY(solve_analyse(&r.problem, workspace, &r.graph, error));
    TRY(run_phase(&r, find_lower, error));
    TRY(run_phase(&r, find_upper, error));
    TRY(run_phase(&r, find_optimistic, error));
    for (uint32_t s = 0; s < problem->process->state_count; s++)
        TRY(base_check_bounds(r.lower[s], r.upper[s], error));
    *result = (solve_interval_result){.winning = r.graph.winning.states,
                                      .upper = r.upper,
                                      .lower = r.lower,
                                      .rank = r.rank,
                                      .pessimistic = r.pessimistic,
                                      .optimistic = r.optimistic,
                                      .sweeps = r.sweeps,
                                      .is_stopped = r.stop.stopped};
    return OPAC_OK;
}
