/* SPDX-License-Identifier: MIT */
/*
 * Bounds are computed by node and then checked on the states themselves, with the rows as they were
 * given, and mended where a rounding was in the way (none is known): an upper bound is raised, a
 * lower one is lowered, until nothing moves. That is what a certificate is checked for.
 */
#include "solve/solve_interval.h"

#include "graph/attractor.h"
#include "solve/analysis.h"
#include "solve/extract.h"
#include "solve/optimistic_mec.h"
#include "solve/robust.h"

enum {
    MOST_ROUNDS = 64 /* of lowering; then a bound that does not hold is 0 */
};

typedef struct run {
    const solve_options *options;
    graph_workspace *workspace;
    double precision;
    solve_rows rows;
    solve_problem problem; /* of the rows */
    solve_analysis graph;
    double *upper, *lower;  /* by state of the rows */
    const uint32_t *policy; /* by state: of the lower bound */
    uint32_t *rank, *pessimistic, *optimistic;
    uint32_t *order; /* by edge */
    double *scratch; /* a row */
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
    r->scratch = graph_take(r->workspace, r->rows.widest, sizeof *r->scratch);
    if (r->upper == NULL || r->lower == NULL || r->rank == NULL || r->pessimistic == NULL ||
        r->optimistic == NULL || r->order == NULL || r->scratch == NULL)
        return base_fail_memory(error);
    for (uint32_t c = 0; c < process->choice_count; c++)
        for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
            r->order[e] = e - process->edge_begin[c];
    return OPAC_OK;
}

/* What a choice is worth, by values of states. */
static double worth(const run *r, uint32_t c, const double *value, bool greatest)
{
    const graph_process *process = &r->rows.process;
    uint32_t begin = process->edge_begin[c], count = process->edge_begin[c + 1] - begin;
    for (uint32_t e = 0; e < count; e++)
        r->scratch[e] = value[process->target[begin + e]];
    return solve_interval_step(r->rows.lower + begin, r->rows.upper + begin, r->scratch,
                               r->order + begin, count, greatest);
}

/* ---- values by node ---- */

/* From a vector by state (NULL: none): the greatest of a node's. Anything else than a value is 0. */
static opac_status spread_guess(run *r, const solve_quotient *q, const double *vector,
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
    TRY(spread_guess(r, q, guess_lower, &options.guess_lower, error));
    TRY(spread_guess(r, q, guess_upper, &options.guess_upper, error));
    TRY(solve_values_find(q, &options, r->workspace, values, error));
    r->sweeps += values->sweeps;
    return OPAC_OK;
}

/* ---- the lower bound ---- */

/* Distances to winning states under the policy. Did a state lose its value for want of one? */
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

/* Until every value is at most its step and has a rank. */
static opac_status settle_lower(run *r, opac_error *error)
{
    bool moved = true;
    for (uint32_t round = 0; moved; round++) {
        moved = false;
        TRY(find_ranks(r, &moved, error));
        for (uint32_t s = 0; s < r->rows.process.state_count; s++) {
            if (!(r->lower[s] > 0) || base_bitset_has(&r->graph.winning.states, s))
                continue;
            double step = worth(r, r->policy[s], r->lower, false);
            if (step < r->lower[s]) {
                r->lower[s] = step > r->precision && round < MOST_ROUNDS ? step : 0;
                moved = true;
            }
        }
    }
    return OPAC_OK;
}

/* The policy stays in the workspace, together with the scratch before it. */
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

/* Until no step exceeds its state. */
static void settle_upper(run *r)
{
    const graph_process *process = &r->rows.process;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t s = 0; s < process->state_count; s++)
            for (uint32_t c = process->choice_begin[s];
                 c < process->choice_begin[s + 1] && r->upper[s] < 1; c++) {
                double step = worth(r, c, r->upper, true);
                if (step > r->upper[s]) {
                    step += r->precision / 64;
                    r->upper[s] = step < 1 ? step : 1;
                    moved = true;
                }
            }
    }
}

/* Where winning states and unseen outcomes are reached almost surely, if one wants to. */
static opac_status reach_hopes(run *r, graph_max_reached *reached, opac_error *error)
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

/* A class with a state of value 1 has the value 1: its states reach each other. */
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
    TRY(reach_hopes(r, &reached, error));
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

/* Choices near the best that come nearer to the target, where there is no choice yet. */
static opac_status follow(run *r, const base_bitset *near, const base_bitset *target,
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

/* The strategies of winning states; the choices near the best elsewhere. */
static void begin_hopeful(run *r, base_bitset *near)
{
    const graph_process *process = &r->rows.process;
    for (uint32_t s = 0; s < process->state_count; s++) {
        r->optimistic[s] = r->graph.winning.choice[s];
        if (base_bitset_has(&r->graph.winning.states, s))
            continue;
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            if (worth(r, c, r->upper, true) >= r->upper[s] - 2 * r->precision)
                base_bitset_add(near, c);
    }
}

/* The first choice near the best, else the first. */
static uint32_t first_near(const run *r, const base_bitset *near, uint32_t s)
{
    const uint32_t *choice_begin = r->rows.process.choice_begin;
    for (uint32_t c = choice_begin[s]; c < choice_begin[s + 1]; c++)
        if (base_bitset_has(near, c))
            return c;
    return choice_begin[s] < choice_begin[s + 1] ? choice_begin[s] : GRAPH_NONE;
}

static opac_status find_hopeful(run *r, opac_error *error)
{
    const graph_process *process = &r->rows.process;
    base_bitset near, unseen;
    TRY(graph_take_set(r->workspace, process->choice_count, &near, error));
    TRY(graph_take_set(r->workspace, process->state_count, &unseen, error));
    if (r->rows.unseen != GRAPH_NONE)
        base_bitset_add(&unseen, r->rows.unseen);
    begin_hopeful(r, &near);
    TRY(follow(r, &near, &unseen, error));
    TRY(follow(r, &near, &r->graph.winning.states, error));
    for (uint32_t s = 0; s < process->state_count; s++)
        if (r->optimistic[s] == GRAPH_NONE)
            r->optimistic[s] = first_near(r, &near, s);
    return OPAC_OK;
}

static void find_cautious(run *r)
{
    const uint32_t *begin = r->rows.process.choice_begin;
    for (uint32_t s = 0; s < r->rows.process.state_count; s++)
        r->pessimistic[s] = r->lower[s] > 0           ? r->policy[s]
                            : begin[s] < begin[s + 1] ? begin[s]
                                                      : GRAPH_NONE;
}

/* ---- the whole ---- */

/* All but the results is given back after a phase. */
static opac_status run_phase(run *r, opac_status (*phase)(run *r, opac_error *error),
                             opac_error *error)
{
    graph_place place = graph_workspace_mark(r->workspace);
    opac_status status = phase(r, error);
    if (status == OPAC_OK && phase == find_lower)
        find_cautious(r); /* the policy is scratch */
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
    TRY(run_phase(&r, find_hopeful, error));
    for (uint32_t s = 0; s < problem->process->state_count; s++)
        TRY(base_check_bounds(r.lower[s], r.upper[s], error));
    *result = (solve_interval_result){.winning = r.graph.winning.states,
                                      .upper = r.upper,
                                      .lower = r.lower,
                                      .rank = r.rank,
                                      .pessimistic = r.pessimistic,
                                      .optimistic = r.optimistic,
                                      .sweeps = r.sweeps,
                                      .is_stopped = r.stop.cut};
    return OPAC_OK;
}
