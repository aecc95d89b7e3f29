/* SPDX-License-Identifier: MIT */
/*
 * Finite horizons: solve_run_horizon (solver.h) in a workspace. With t steps left,
 *
 *     x(0, s) = 1 if s is a target, else 0
 *     x(t, s) = 1 if s is a target, else the greatest backup of x(t - 1) over the choices of s
 *
 * by sweeps that read one vector and write another. A state without choices that is no target is worth
 * 0. When a sweep changes nothing, nor do later ones. steps × edges; 16 bytes a state, and 4 for each
 * state and step if the choices are asked for.
 */
#ifndef SOLVE_HORIZON_H
#define SOLVE_HORIZON_H

#include "solve/solver.h"

opac_status solve_horizon_find(const solve_problem *problem, const solve_horizon *horizon,
                               graph_workspace *workspace, solve_horizon_result *result,
                               opac_error *error);

#endif
