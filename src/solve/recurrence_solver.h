/* SPDX-License-Identifier: MIT */
/*
 * Computes the recurrence times of many chains of the same process. It reads the probabilities once, and
 * reuses its memory from chain to chain.
 *
 *     solve_recurrence_solver solver = {0};
 *     solve_recurrence_solver_read(&solver, process, error);
 *     for each policy: solve_recurrence_solver_run(&solver, &chain, options, &result, error);
 *     solve_recurrence_solver_fini(&solver);
 */
#ifndef SOLVE_RECURRENCE_SOLVER_H
#define SOLVE_RECURRENCE_SOLVER_H

#include "solve/transient_distribution.h"

typedef struct solve_recurrence_solver {
    solve_unfold unfold;
    solve_transient transient;
} solve_recurrence_solver;

void solve_recurrence_solver_fini(solve_recurrence_solver *solver);
/* Validates the arguments. */
opac_status solve_recurrence_solver_check(const graph_process *process, uint32_t start,
                                          const solve_recurrence_options *options,
                                          opac_error *error);
opac_status solve_recurrence_solver_read(solve_recurrence_solver *solver,
                                         const graph_process *process, opac_error *error);
opac_status solve_recurrence_solver_run(solve_recurrence_solver *solver, const solve_chain *chain,
                                        const solve_recurrence_options *options,
                                        solve_recurrence *result, opac_error *error);

#endif
