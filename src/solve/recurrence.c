/* SPDX-License-Identifier: MIT */
/* The recurrence time of one chain: unfolds it and computes its transient distributions. */
#include "solve/recurrence.h"

#include "base/alloc.h"
#include "solve/recurrence_solver.h"

/* ---- the solver of one process ---- */

enum {
    DEFAULT_MAX_COMPONENT = 20
};

void solve_recurrence_solver_fini(solve_recurrence_solver *solver)
{
    solve_unfold_fini(&solver->unfold);
    solve_transient_fini(&solver->transient);
}

opac_status solve_recurrence_solver_read(solve_recurrence_solver *solver,
                                         const graph_process *process, opac_error *error)
{
    return solve_unfold_read_probabilities(&solver->unfold, process, error);
}

opac_status solve_recurrence_solver_run(solve_recurrence_solver *solver, const solve_chain *chain,
                                        const solve_recurrence_options *options,
                                        solve_recurrence *result, opac_error *error)
{
    const solve_unfold_options unfold = {.literal = options->literal,
                                         .max_component = options->max_component != 0
                                                              ? options->max_component
                                                              : DEFAULT_MAX_COMPONENT,
                                         .allow_partial = options->lower_bound_only,
                                         .max_work = options->max_work,
                                         .cancel = options->cancel};
    bool fits;
    *result =
        (solve_recurrence){.outcome = SOLVE_RECURRENCE_TOO_BIG, .before = NAN, .reached = NAN};
    TRY(solve_unfold_chain(&solver->unfold, chain, &unfold, &fits, &result->work, error));
    if (!fits)
        return OPAC_OK;
    opac_status status =
        solve_transient_run(&solver->transient, &solver->unfold, options, result, error);
    if (solver->unfold.is_partial && result->outcome == SOLVE_RECURRENCE_FOUND) {
        result->outcome = SOLVE_RECURRENCE_TOO_BIG;
        result->before = result->reached = NAN;
    }
    return status;
}

opac_status solve_recurrence_solver_check(const graph_process *process, uint32_t start,
                                          const solve_recurrence_options *options,
                                          opac_error *error)
{
    if (!(options->epsilon > 0 && options->epsilon < 1))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "epsilon must lie strictly between 0 and 1");
    if (start >= process->state_count || (process->prob == NULL && process->edge_count > 0))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "a recurrence time requires an initial state and probabilities");
    return OPAC_OK;
}

/* ---- one chain ---- */

opac_status solve_recurrence_policy(const graph_process *process, const uint32_t *choice,
                                    uint32_t start, const solve_recurrence_options *options,
                                    solve_recurrence *result, opac_error *error)
{
    solve_recurrence_solver solver = {0};
    const solve_chain only = {.process = process, .choice = choice, .start = start};
    opac_status status;
    TRY_OR(done, solve_recurrence_solver_check(process, start, options, error));
    TRY_OR(done, solve_recurrence_solver_read(&solver, process, error));
    status = solve_recurrence_solver_run(&solver, &only, options, result, error);
done:
    solve_recurrence_solver_fini(&solver);
    return status;
}

opac_status solve_recurrence_chain(const graph_process *chain, uint32_t start,
                                   const solve_recurrence_options *options,
                                   solve_recurrence *result, opac_error *error)
{
    uint32_t *choice = base_alloc(chain->state_count, sizeof *choice);
    if (choice == NULL)
        return base_fail_memory(error);
    for (uint32_t s = 0; s < chain->state_count; s++)
        choice[s] = chain->choice_begin[s] < chain->choice_begin[s + 1] ? chain->choice_begin[s]
                                                                        : GRAPH_NONE;
    opac_status status = solve_recurrence_policy(chain, choice, start, options, result, error);
    base_free(choice);
    return status;
}
