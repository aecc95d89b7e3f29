/* SPDX-License-Identifier: MIT */
/*
 * Solves problems with intervals: the phases of solve_run_intervals (solver.h), in a workspace.
 *
 *     rows ─► graph ─┬─► pessimistic quotient ─► lower, by node ─► policy ─► lower, by state
 *                    └─► optimistic quotient  ─► upper, by node ───────────► upper, by state
 *
 * An edge may have the lower end 0. The upper bound is exact for such edges (optimistic_mec.h). The lower
 * bound is exact for states that reach a winning state almost surely; for other states it allows models
 * that never leave a set, which is sound but conservative.
 */
#ifndef SOLVE_INTERVAL_H
#define SOLVE_INTERVAL_H

#include "solve/solver.h"

/* The precision must be above 0. */
opac_status solve_intervals(const solve_problem *problem, const solve_options *options,
                            graph_workspace *workspace, solve_interval_result *result,
                            opac_error *error);

#endif
