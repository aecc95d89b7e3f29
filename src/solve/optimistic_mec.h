/* SPDX-License-Identifier: MIT */
/*
 * Computes optimistic end components: those that a policy and an optimistic model can stay in, because
 * the lower ends of the edges out of them are 0.
 *
 * Let X be a set of states with choices, strongly connected by their edges. For each of these choices, let
 * all edges with a lower end above 0 lead into X, and let the upper ends of the edges into X sum to at least
 * 1. Then within the closed intervals some policy and some model never leave X, so that value iteration from
 * above would keep any value for X. But in every model each edge has a positive probability, so runs leave X
 * almost surely. A model may leave X by any one edge, with all other edges out of X arbitrarily improbable.
 * Therefore the value of X, from above, is the maximum of the values of its exits. Any common value of X that
 * is at least this maximum is inductive. Hence a set that is too large only loses precision, and the sums
 * need not be rounded outward (docs/theory.md, Lemma 24).
 *
 * The strongly connected components are recomputed until no choice is removed: states × edges in the worst
 * case, a few rounds in practice.
 */
#ifndef SOLVE_OPTIMISTIC_MEC_H
#define SOLVE_OPTIMISTIC_MEC_H

#include "graph/mec.h"
#include "solve/rows.h"

/* `choices` of the result are those that can stay in their component. */
opac_status solve_optimistic_mec_find(const solve_rows *rows, graph_workspace *workspace,
                                      graph_mec *classes, opac_error *error);

#endif
