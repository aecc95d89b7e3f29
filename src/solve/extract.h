/* SPDX-License-Identifier: MIT */
/*
 * The positional policy that attains what the solver has proven. Taking the
 * best choice everywhere would not do: a choice that only moves between states
 * of equal value is as good as any other, and taken for ever it wins nothing.
 *
 *     in a winning end component   its strategy (winning.h)
 *     elsewhere, value 1           the way there that cannot miss (almost_sure.h)
 *     value 0                      the first choice
 *     undecided by the graph       see below
 *
 * Undecided states. Let l be the bound that was proven for the nodes of the
 * quotient, l <= Φ(l) (values.h). Allowed are the choices c of a node n with
 *
 *     gain(c) + Σ prob(e) · l(target(e)) >= l(n)        rounded against c,
 *
 * and those inside end components that became a node, which change no value.
 * Ranks are distances from states of value 1 by allowed choices, and a state
 * takes an allowed choice that has a successor of the rank below. Then
 *
 *     l(s) <= expected l after a step, for every undecided s, and
 *     states of value 1 can be reached from every undecided s.
 *
 * By the second a run ends almost surely in states of value 1 or 0; so by the
 * first l(s) is at most the probability of value 1, from where the run wins.
 * With complement it is u(n) >= gain(c) + Σ …, and u(s) at least the probability of
 * ending in value 0.
 *
 * With intervals, l is the bound of a pessimistic quotient, and the choice is worth that much in the
 * worst model. In any other model, too, a run ends almost surely in states of value 1 or 0 or where l
 * is 0, because each edge has a positive probability.
 *
 * Every undecided state gets a rank. For let X be those without. Allowed choices of X
 * lead to X and to states of value 0 only, so they gain nothing. Where l is
 * greatest in X, an allowed choice leads only to nodes where it is as great,
 * unless it is 0: they would be an end component, and the quotient has none. So
 * l is 0 in X, and there every choice is allowed; but some path leads to a
 * state of value 1. (Complement: where u is least; u is 1 in X.) Where one choice
 * of a node is given, because the bound was proven for it, the same holds: what
 * it attains in X is 0. Then there may be states without rank, whose bound says
 * nothing, and all their choices are allowed. A bound that
 * keeps no choice of some node was not proven; should that happen, the best
 * choice is allowed.
 */
#ifndef SOLVE_EXTRACT_H
#define SOLVE_EXTRACT_H

#include "graph/almost_sure.h"
#include "solve/quotient.h"
#include "solve/winning.h"

typedef struct solve_extraction {
    const solve_problem *problem;
    const graph_reverse *reverse;
    const solve_winning *winning;
    const graph_max_reached *reached; /* the states of winning */
    const solve_quotient *quotient;   /* NULL: undecided states get no choice */
    const double *bound;              /* by node: lower, or upper with complement */
    const uint32_t *optimal;          /* by node: the choice of the quotient that is allowed, in
                                         place of those that keep the bound; GRAPH_NONE, and
                                         NULL: the bound */
    /*
     * Preferred choices; NULL: none. One whose successors are all winning states that cannot be
     * left is taken before all others, the lowest; only such a state itself keeps what wins in it.
     * Others are preferred among those that lead to the rank below; in winning components
     * they are not.
     */
    const base_bitset *first;
} solve_extraction;

/* By state: the policy; GRAPH_NONE for states without choices. In the workspace. */
opac_status solve_extract(const solve_extraction *extraction, graph_workspace *workspace,
                          const uint32_t **policy, opac_error *error);

#endif
