/* SPDX-License-Identifier: MIT */
/*
 * Runs the phases in order. All results are in one workspace, which is emptied at the beginning of a run but
 * keeps its memory; each phase releases its scratch. The graph phases take linear time except for the end
 * components (mec.h); values.h has the cost of the numerical phase. The reverse index, with 12 bytes for each
 * state and 4 for each choice and edge, remains in memory until the end, because most phases use it.
 */
#include "solve/solver.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/work.h"
#include "solve/analysis.h"
#include "solve/extract.h"
#include "solve/horizon.h"
#include "solve/solve_interval.h"

#define DEFAULT_PRECISION 1e-6

static const solve_options defaults;

struct solve_solver {
    graph_workspace workspace;
    base_work work; /* of the current run: polls `cancel` during graph searches */
    bool has_exact; /* whether the last run was exact; the members below are then valid */
    bool complement;
    solve_exact exact;
    base_bitset zero, one;
    const uint32_t *node;
};

/* The input and the intermediate results of a run. */
typedef struct run {
    solve_solver *solver;
    graph_workspace *workspace;
    const solve_problem *problem;
    const solve_options *options;
    solve_analysis graph;
    solve_quotient quotient;
    solve_values values;
} run;

opac_status solve_solver_new(solve_solver **solver, opac_error *error)
{
    *solver = base_alloc(1, sizeof **solver);
    if (*solver == NULL)
        return base_fail_memory(error);
    **solver = (solve_solver){0};
    return OPAC_OK;
}

/* Discards the results of the last run; keeps the memory of the workspace. */
static void forget(solve_solver *solver)
{
    if (solver->has_exact)
        solve_exact_fini(&solver->exact);
    solver->has_exact = false;
    graph_workspace_release(&solver->workspace, (graph_place){0});
}

void solve_solver_free(solve_solver *solver)
{
    if (solver == NULL)
        return;
    forget(solver);
    graph_workspace_fini(&solver->workspace);
    base_free(solver);
}

static opac_status check_cancel(const run *r, opac_error *error)
{
    if (opac_cancel_requested(r->options->cancel))
        return base_fail_stopped(error, r->options->cancel, "solving");
    return OPAC_OK;
}

/* By node: the minimum of the caller's upper bounds of its states. */
static const double *known_upper(const run *r)
{
    const double *upper = r->options->upper;
    double *known = graph_take(r->workspace, r->quotient.node_count, sizeof *known);
    if (known == NULL)
        return NULL;
    for (uint32_t n = 0; n < r->quotient.node_count; n++)
        known[n] = 1;
    for (uint32_t s = 0; s < r->problem->process->state_count; s++) {
        uint32_t n = r->quotient.node[s];
        if (n != GRAPH_NONE && upper[s] < known[n])
            known[n] = upper[s];
    }
    return known;
}

static opac_status enclose(run *r, opac_error *error)
{
    const solve_options *options = r->options;
    solve_value_options value_options = {
        .precision = options->precision > 0 ? options->precision : DEFAULT_PRECISION,
        .pool = options->pool,
        .cancel = options->cancel,
        .progress = options->progress,
    };
    if (options->upper != NULL && !options->complement) {
        value_options.upper = known_upper(r);
        if (value_options.upper == NULL)
            return base_fail_memory(error);
    }
    return solve_values_find(&r->quotient, &value_options, r->workspace, &r->values, error);
}

static opac_status find_exact(run *r, opac_error *error)
{
    solve_solver *solver = r->solver;
    TRY(solve_exact_find(r->problem, &r->graph.reached.zero, &r->graph.reached.one, &r->quotient,
                         &r->values, r->options->cancel, r->workspace, &solver->exact, error));
    solver->has_exact = true;
    solver->complement = r->quotient.complement;
    solver->zero = r->graph.reached.zero;
    solver->one = r->graph.reached.one;
    solver->node = r->quotient.node;
    for (uint32_t n = 0; n < r->quotient.node_count; n++) {
        double nearest, lower = r->values.lower[n], upper = r->values.upper[n];
        TRY(base_rational_to_double(solver->exact.value[n], &nearest, &r->values.lower[n],
                                    &r->values.upper[n], error));
        if (r->values.upper[n] < lower || r->values.lower[n] > upper)
            return base_fail(
                error, OPAC_ERROR_INTERNAL,
                "the exact value %.17g is outside its bounds %.17g and %.17g; this is a bug "
                "in the library, please report it",
                nearest, lower, upper);
    }
    r->values.met = true;
    return OPAC_OK;
}

/* Computes the values of the undecided states. */
static opac_status find_values(run *r, opac_error *error)
{
    const solve_options *options = r->options;
    TRY(check_cancel(r, error));
    TRY(solve_quotient_of_components(r->problem, &r->graph.reached.zero, &r->graph.reached.one,
                                     options->complement ? SOLVE_COMPLEMENT : SOLVE_GREATEST,
                                     &r->graph.winning.mec, r->workspace, &r->quotient, error));
    TRY(check_cancel(r, error));
    TRY(enclose(r, error));
    if (options->exact)
        TRY(find_exact(r, error));
    return OPAC_OK;
}

/* Sets the values by state. */
static opac_status spread_values(const run *r, solve_result *result, opac_error *error)
{
    uint32_t n = r->problem->process->state_count;
    bool complement = r->options->complement, known = !r->options->graph_only;
    double *lower = graph_take(r->workspace, n, sizeof *lower);
    double *upper = graph_take(r->workspace, n, sizeof *upper);
    if (lower == NULL || upper == NULL)
        return base_fail_memory(error);
    for (uint32_t s = 0; s < n; s++) {
        if (base_bitset_has(&r->graph.reached.one, s)) {
            lower[s] = upper[s] = complement ? 0 : 1;
        } else if (base_bitset_has(&r->graph.reached.zero, s)) {
            lower[s] = upper[s] = complement ? 1 : 0;
        } else {
            lower[s] = known ? r->values.lower[r->quotient.node[s]] : 0;
            upper[s] = known ? r->values.upper[r->quotient.node[s]] : 1;
            result->met = result->met && known;
            TRY(base_check_bounds(lower[s], upper[s], error));
        }
    }
    result->lower = lower;
    result->upper = upper;
    return OPAC_OK;
}

static opac_status find_policy(const run *r, solve_result *result, opac_error *error)
{
    bool known = !r->options->graph_only;
    solve_extraction extraction = {
        .problem = r->problem,
        .reverse = &r->graph.reverse,
        .winning = &r->graph.winning,
        .reached = &r->graph.reached,
        .quotient = known ? &r->quotient : NULL,
        .bound = r->options->complement ? r->values.upper : r->values.lower,
        .optimal = r->solver->has_exact ? r->solver->exact.optimal : r->values.choice,
        .preferred = r->options->preferred,
    };
    TRY(check_cancel(r, error));
    return solve_extract(&extraction, r->workspace, &result->choice, error);
}

static opac_status fill_result(const run *r, solve_result *result, opac_error *error)
{
    *result = (solve_result){
        .zero = r->graph.reached.zero,
        .one = r->graph.reached.one,
        .winning = r->graph.winning.states,
        .components = r->graph.winning.count,
        .met = r->options->graph_only || r->values.met, /* see spread_values */
        .sweeps = r->values.sweeps,
    };
    TRY(spread_values(r, result, error));
    if (!r->options->no_policy)
        TRY(find_policy(r, result, error));
    return OPAC_OK;
}

/* Empties the workspace and attaches the work counter, which polls `cancel`. */
static void begin_run(solve_solver *solver, const opac_cancel *cancel)
{
    forget(solver);
    base_work_init(&solver->work, cancel, 0);
    solver->workspace.work = &solver->work;
}

static opac_status end_run(solve_solver *solver, opac_status status)
{
    if (status != OPAC_OK)
        forget(solver);
    solver->workspace.work = NULL;
    return status;
}

opac_status solve_run(solve_solver *solver, const solve_problem *problem,
                      const solve_options *options, solve_result *result, opac_error *error)
{
    run r = {.solver = solver, .workspace = &solver->workspace, .problem = problem};
    r.options = options != NULL ? options : &defaults;
    assert(problem->process->edge_count == 0 || problem->process->prob != NULL);
    assert(problem->process->edge_count == 0 || !r.options->exact || problem->exact != NULL);
    begin_run(solver, r.options->cancel);
    opac_status status;
    TRY_OR(done, check_cancel(&r, error));
    TRY_OR(done, solve_analyse(problem, r.workspace, &r.graph, error));
    if (!r.options->graph_only)
        TRY_OR(done, find_values(&r, error));
    status = fill_result(&r, result, error);
done:
    return end_run(solver, status);
}

opac_status solve_run_intervals(solve_solver *solver, const solve_problem *problem,
                                const solve_options *options, solve_interval_result *result,
                                opac_error *error)
{
    solve_options o = options != NULL ? *options : defaults;
    if (!(o.precision >= 0 && o.precision < 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the precision must be at least 0 and less than 1");
    if (o.precision <= 0)
        o.precision = DEFAULT_PRECISION;
    begin_run(solver, o.cancel);
    return end_run(solver, solve_intervals(problem, &o, &solver->workspace, result, error));
}

opac_status solve_run_horizon(solve_solver *solver, const solve_problem *problem,
                              const solve_horizon *horizon, const opac_cancel *cancel,
                              solve_horizon_result *result, opac_error *error)
{
    if (opac_cancel_requested(cancel))
        return base_fail_stopped(error, cancel, "solving");
    begin_run(solver, cancel);
    return end_run(solver, solve_horizon_find(problem, horizon, &solver->workspace, result, error));
}

opac_status solve_exact_value(const solve_solver *solver, uint32_t state, base_rational *value,
                              opac_error *error)
{
    if (!solver->has_exact)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the last run was not exact");
    bool is_zero = base_bitset_has(&solver->zero, state);
    if (!is_zero && !base_bitset_has(&solver->one, state))
        return base_rational_set(value, solver->exact.value[solver->node[state]], error);
    return base_rational_set_ratio(value, base_ratio_of_integer(is_zero == solver->complement),
                                   error);
}
