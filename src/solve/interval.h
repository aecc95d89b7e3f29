/* SPDX-License-Identifier: MIT */
/*
 * Decision processes whose probabilities are known to lie in intervals, and
 * whose graph is known exactly. Two questions at once:
 *
 *     upper   the greatest probability of an accepted run, over policies and over
 *             models within the intervals
 *     lower   the greatest, over policies, of the least, over models
 *
 * and some choices of which nothing is known at all: for the upper bound they are
 * worth 1, for the lower 0.
 *
 *     winning end components of what is known (their value is 1 in every model)
 *        │
 *        ├─► upper   u with Φ(u) ≤ u, Φ the greatest over choices and models; end
 *        │           components elsewhere are one node each, so that iteration from above converges
 *        └─► lower   x with x ≤ Φ(x), Φ least over models, from 0; a policy; and ranks by which
 *                    the policy makes progress to a winning state wherever x > 0
 *
 * Both hold whenever the iteration stops. A robust step hands out the free mass
 * greedily over sorted successors (Givan, Leach, Dean, "Bounded-parameter Markov
 * decision processes", 2000; Nilim and El Ghaoui 2005): Σ lower ≤ 1 ≤ Σ upper in each choice.
 *
 * An edge may have the lower end 0: then models with and without it are in the
 * intervals. It is an edge of the graph all the same: a run does not stay for ever
 * where the graph has a way out. The upper bound is exact about that; the lower one is where a
 * winning state is reached almost surely, and otherwise takes a model that never leaves into account,
 * which is sound, and less than it could be.
 */
#ifndef SOLVE_INTERVAL_H
#define SOLVE_INTERVAL_H

#include <omegapac/cancel.h>

#include "base/bitset.h"
#include "solve/problem.h"

typedef struct solve_interval_problem {
    const graph_process *process; /* its probabilities are not looked at */
    const double *lower, *upper;  /* by edge: 0 <= lower <= upper <= 1, 0 < upper */
    const base_bitset *unknown;   /* choices; their edges are not looked at; NULL: none */
    const uint64_t *marks;        /* by choice, as in problem.h */
    const solve_pair *pairs;
    uint32_t pair_count;
} solve_interval_problem;

typedef struct solve_interval_options {
    double
        precision; /* both iterations stop when their fixed point is as near, absolute; 0: 1e-6 */
    /*
     * Where to begin, by state, for instance with the bounds of a problem that is nearly the same;
     * what does not help is not used. The upper one says which choices and models to try first, and
     * is what a run that is stopped falls back to, if it is still a bound. NULL: nothing is known.
     */
    const double *guess_upper, *guess_lower;
    /* Asked now and then; once it says so, the result is what is proven by then. NULL: never. */
    bool (*stop)(const void *context);
    const void *stop_context;
    /* Once it is requested the run fails with OPAC_ERROR_CANCELLED, at any time. NULL: never. */
    const opac_cancel *cancel;
} solve_interval_options;

/* All arrays and sets belong to the solver and last until its next run. */
typedef struct solve_interval_result {
    base_bitset winning;  /* states of winning end components */
    const double *upper;  /* by state: Φ(upper) <= upper, 1 on winning states */
    const double *lower;  /* by state: lower <= Φ(lower), 1 on winning states */
    const uint32_t *rank; /* by state with lower > 0: 0 on winning states, else that of some
                              successor of its choice is smaller; elsewhere GRAPH_NONE */
    /*
     * By state: what attains `lower` in every model, if taken everywhere: in winning states their
     * strategy. GRAPH_NONE for states without choices; where lower is 0, some choice.
     */
    const uint32_t *cautious;
    /*
     * By state: what a hopeful explorer does. Among the choices that attain `upper` but for the
     * precision: one that is unknown, the lowest; else one that comes nearer to a state with
     * such a one; else one that makes progress to a winning state. In winning states their strategy.
     */
    const uint32_t *hopeful;
    uint64_t sweeps;
    bool is_cut; /* it was stopped: both are bounds, and may be far from the precision */
} solve_interval_result;

typedef struct solve_interval_solver solve_interval_solver;
opac_status solve_interval_new(solve_interval_solver **solver, opac_error *error);
void solve_interval_free(solve_interval_solver *solver);
opac_status solve_interval_run(solve_interval_solver *solver, const solve_interval_problem *problem,
                               const solve_interval_options *options, solve_interval_result *result,
                               opac_error *error);

/*
 * One robust step: the greatest (or least) Σ q(e) value(target(e)) over q within the intervals of
 * the choice's edges, rounded up (or down); all arrays by position in the choice. order: the edges of the choice, count many, as positions
 * from its first; any order on entry, sorted by value afterwards, so that the next call is quick.
 */
double solve_interval_step(const double *lower, const double *upper, const double *values,
                           uint32_t *order, uint32_t count, bool greatest);

#endif
