/* SPDX-License-Identifier: MIT */
/*
 * The end components that a policy and an optimistic model can stay in where lower ends are 0. Let X
 * be a set of states with choices, connected by their edges, such that all edges of a choice with
 * a lower end above 0 lead into X, and the upper ends of those into X sum to 1 or more. Then some
 * policy and some model within the intervals never leave X, and iteration from above would take any
 * value for X for granted. But every edge has a positive probability, so that such a run is lost. A
 * model may leave by any one of the edges out of X with a probability as small as it likes, so the value
 * of X is the greatest of those of its ways out. That it is one value for all of X, and at least this,
 * makes it inductive; hence a set that is too large costs precision only, and sums need no care.
 *
 * Components are searched again until no choice is dropped: states × edges at worst, a few rounds in
 * practice.
 */
#ifndef SOLVE_OPTIMISTIC_MEC_H
#define SOLVE_OPTIMISTIC_MEC_H

#include "graph/mec.h"
#include "solve/rows.h"

/* choices: those that can stay. */
opac_status solve_optimistic_mec_find(const solve_rows *rows, graph_workspace *workspace,
                                      graph_mec *classes, opac_error *error);

#endif
