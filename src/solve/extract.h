/* SPDX-License-Identifier: MIT */
/*
 * Extracts the positional policy that attains the proven bound. Taking a best choice in every state would
 * not suffice: a choice that only moves between states of equal value may be a best one, but a run that
 * always takes it never wins.
 *
 *     state                          choice
 *     in a winning end component     that of its winning policy (winning.h)
 *     otherwise with value 1         that of the almost surely reaching policy (almost_sure.h)
 *     with value 0                   the first
 *     undecided by the graph         see below
 *
 * Undecided states. Let l be the proven bound on the nodes of the quotient, with l <= Φ(l) (values.h).
 * The allowed choices of a node n are the choices c with
 *
 *     gain(c) + Σ prob(e) · l(target(e)) >= l(n)        where the left side is rounded down,
 *
 * and the choices inside end components that were contracted to a node, which change no value. The rank
 * of a state is its distance to the states of value 1 by allowed choices. A state takes an allowed choice
 * with a successor of the next lower rank.
 *
 * Claim (docs/theory.md, Theorem 3): from every undecided state s, this policy wins with probability at
 * least l(s). Proof:
 *
 *     (1) l(s) is at most the expected value of l after a step, because the choice is allowed;
 *     (2) states of value 1 are reachable from s, because ranks decrease.
 *
 * By (2), a run almost surely reaches a state of value 1 or 0. So by (1), l(s) is at most the probability
 * of reaching value 1, where the policy wins almost surely. In a complement, u(n) >= gain(c) + Σ …, and
 * likewise u(s) is at least the probability of reaching value 0.
 *
 * With intervals, l is the bound of a pessimistic quotient, and (1) holds in the worst model, hence in
 * every model. In every model a run almost surely reaches a state of value 1 or 0, or with l = 0, because
 * each edge has a positive probability.
 *
 * Claim: every undecided state has a rank. Proof: let X be the set of states without rank. Their allowed
 * choices lead only to X and to states of value 0, and so have gain 0. Let Y be the states of X with the
 * greatest l. If this is positive, the allowed choices of Y lead only to Y, and Y would contain an end
 * component; but the quotient has none. So l = 0 in X. Then all choices of X are allowed, and some path
 * leads to a state of value 1, a contradiction. (Complement: let Y be the states with the least u; it
 * follows that u = 1 in X.)
 *
 * If a choice of a node is given, because the bound was proven for that choice only (`optimal`), the same
 * proof shows that l = 0 in X. Then states without a rank may exist, but their bound is trivial; all
 * their choices become allowed. If no choice of a node satisfies the bound, the bound was not proven; the
 * best choice is then allowed.
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
    const graph_max_reached *reached; /* with the winning states as target */
    const solve_quotient *quotient;   /* NULL: undecided states get no choice */
    const double *bound;              /* by node: lower; upper with complement */
    const uint32_t *optimal; /* by node: the only allowed choice of the quotient; GRAPH_NONE, or
                                         NULL for all nodes: the choices that satisfy the bound */
    /*
     * Preferred choices; NULL: none. A preferred choice that leads only to absorbing winning states comes
     * before all other choices (the lowest such choice), except in those states themselves. Otherwise
     * preferred choices come first among the choices that lead to the next lower rank. In winning end
     * components there is no preference.
     */
    const base_bitset *preferred;
} solve_extraction;

/* *policy, by state: the choice; GRAPH_NONE for states without choices. In the workspace. */
opac_status solve_extract(const solve_extraction *extraction, graph_workspace *workspace,
                          const uint32_t **policy, opac_error *error);

#endif
