/* SPDX-License-Identifier: MIT */
/*
 * The phases of solve_run_intervals (solver.h), in a workspace:
 *
 *     rows ─► graph ─┬─► pessimistic quotient ─► lower, by node ─► policy ─► lower, by state
 *                    └─► optimistic quotient  ─► upper, by node ───────────► upper, by state
 *
 * An edge may have the lower end 0. The upper bound is exact about that (optimistic_mec.h). The lower one is
 * where a winning state is reached almost surely, and otherwise takes a model that never
 * leaves into account, which is sound, and less than it could be.
 */
#ifndef SOLVE_INTERVAL_H
#define SOLVE_INTERVAL_H

#include "solve/solver.h"

/* options: precision is above 0. */
opac_status solve_intervals(const solve_problem *problem, const solve_options *options,
                            graph_workspace *workspace, solve_interval_result *result,
                            opac_error *error);

#endif
