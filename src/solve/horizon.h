/* SPDX-License-Identifier: MIT */
/*
 * Bounded reachability: solve_run_horizon (solver.h) in a workspace. With t steps left,
 *
 *     x(0, s) = 1 if s is a target, else 0
 *     x(t, s) = 1 if s is a target, else the maximum backup of x(t - 1) over the choices of s
 *
 * (docs/theory.md, Lemma 9) by Jacobi sweeps, which read one vector and write another. A state without
 * choices that is not a target has value 0.
 *
 * The greatest increase of a sweep bounds that of every later one (Lemma 25), so sweeps may end early: what
 * the remaining steps can add is at most their number times this rate. The rate is rounded up. It is 0 once a
 * sweep changes nothing.
 *
 * Time: sweeps × edges. Memory: 16 bytes for each state, and 4 for each state and stored number of steps left
 * if the policy is wanted.
 */
#ifndef SOLVE_HORIZON_H
#define SOLVE_HORIZON_H

#include "solve/solver.h"

opac_status solve_horizon_find(const solve_problem *problem, const solve_horizon *horizon,
                               graph_workspace *workspace, solve_horizon_result *result,
                               opac_error *error);

#endif
