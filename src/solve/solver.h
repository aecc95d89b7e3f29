/* SPDX-License-Identifier: MIT */
/*
 * The solver: computes the maximal probability of an accepted run from every state, and a positional policy
 * that attains it.
 *
 *     problem ─► winning end components ─► values 0 and 1, on the graph
 *                                               │
 *            policy ◄─ enclosure ◄─ quotient ◄──┘
 *
 * For problems with intervals (problem.h), solve_run_intervals computes bounds on this probability.
 *
 * A solver reuses its memory between runs, so that thousands of small problems allocate in the first one
 * only. It may be used by one thread at a time.
 */
#ifndef SOLVE_SOLVER_H
#define SOLVE_SOLVER_H

#include "solve/exact.h"
#include "solve/problem.h"
#include "solve/values.h"

typedef struct solve_solver solve_solver;

/* Zeroed options are the defaults. */
typedef struct solve_options {
    double
        precision;   /* relative width of the enclosures; with intervals, absolute precision of both
                         bounds, below 1; 0: 1e-6 */
    bool complement; /* enclose 1 - p with this precision: lower and upper bound 1 - p */
    bool graph_only; /* leave values that the graph does not decide at [0, 1], without a policy */
    bool exact;      /* compute fractions, too: solve_exact_value */
    bool no_policy;  /* do not compute a policy */
    /*
     * Preferred choices (the learner uses those that are not known yet); may be NULL. A preferred choice that
     * leads only to absorbing winning states comes before all others; elsewhere it is preferred among equally
     * good ones. See extract.h. With intervals: only for the optimistic policy.
     */
    const base_bitset *preferred;
    /*
     * By state: a known upper bound on the maximal probability, such as `upper` of a previous run, if since
     * then choices became only worse; NULL: none. Not with complement.
     */
    const double *upper;
    /*
     * With intervals, by state: vectors to begin with, such as the bounds of a similar problem. They need not
     * be bounds; they are used if a few sweeps prove them. NULL: none.
     */
    const double *guess_upper, *guess_lower;
    /* With intervals: called from time to time; once it returns true, the run ends with the bounds so far. */
    bool (*stop)(const void *context); /* NULL: never stop */
    const void *stop_context;
    base_pool *pool; /* used without intervals */
    const opac_cancel *cancel;
    opac_progress *progress;
} solve_options;

/* All arrays and sets belong to the solver and remain valid until its next run. */
typedef struct solve_result {
    base_bitset zero, one;       /* states whose maximal probability is 0, and 1 */
    base_bitset winning;         /* states of winning end components, a subset of `one` */
    uint32_t components;         /* number of winning end components */
    const double *lower, *upper; /* by state */
    const uint32_t *choice; /* by state: the policy; GRAPH_NONE for states without choices, and with
                                    graph_only for undecided ones; NULL with no_policy */
    bool met;               /* whether the enclosures have the wanted precision */
    uint64_t sweeps;
} solve_result;

opac_status solve_solver_new(solve_solver **solver, opac_error *error);
void solve_solver_free(solve_solver *solver);
opac_status solve_run(solve_solver *solver, const solve_problem *problem,
                      const solve_options *options, solve_result *result, opac_error *error);

/*
 * Computes two bounds for a problem with intervals or with unseen mass:
 *
 *     upper   on the maximal probability of an accepted run over policies and models, where a run with an
 *             unseen outcome is accepted
 *     lower   on the maximum over policies of the minimum over models, where such a run is rejected
 *
 * Uses only the options precision, preferred, guess_upper, guess_lower, stop and cancel.
 */
typedef struct solve_interval_result {
    base_bitset winning; /* states of winning end components */
    const double *upper; /* by state: Φ(upper) <= upper, 1 on winning states */
    const double *lower; /* by state: lower <= Φ(lower), 1 on winning states */
    const uint32_t
        *rank; /* by state with lower > 0: 0 on winning states, otherwise greater than the rank of
                             some successor of its pessimistic choice; GRAPH_NONE where lower is 0 */
    /*
     * By state: the pessimistic policy, which attains `lower` in every model and wins in winning states.
     * GRAPH_NONE for states without choices; an arbitrary choice where lower is 0.
     */
    const uint32_t *pessimistic;
    /*
     * By state: the optimistic policy, which wins in winning states. Elsewhere, among the choices that attain
     * `upper` up to the precision, it takes the lowest one with unseen mass; otherwise one that comes closer
     * to a state with such a choice; otherwise one that comes closer to a winning state. With `preferred`, it
     * takes the lowest preferred one; otherwise one that comes closer to a state with such a choice, or to a
     * winning state; otherwise one with unseen mass, or closer to such a choice.
     */
    const uint32_t *optimistic;
    uint64_t sweeps;
    bool
        is_stopped; /* whether `stop` ended the run: the bounds are valid, but may miss the precision */
} solve_interval_result;

opac_status solve_run_intervals(solve_solver *solver, const solve_problem *problem,
                                const solve_options *options, solve_interval_result *result,
                                opac_error *error);

/* Bounds on the maximal probability of reaching a target, or having an unseen outcome, within some steps. */
typedef struct solve_horizon {
    const base_bitset *target; /* states */
    uint64_t steps;
    /* At most so many sweeps; 0: as many as steps. Sweeps also end when `rate` allows the values to grow by
     * at most `slack` in all remaining steps, unless only few remain. */
    uint64_t most_sweeps;
    double slack;
    /*
     * true: the maximum over models, rounded up; unseen outcomes have value 1.
     * false: the maximum over policies of the minimum over models, rounded down; they have value 0.
     */
    bool optimistic;
    bool policy;       /* whether to compute the choices */
    double negligible; /* no choices where the value is at most this */
    uint64_t stride;   /* choices are stored for 1, 1 + stride, 1 + 2 stride … steps left; 0: 1 */
} solve_horizon;

typedef struct solve_horizon_result {
    const double *value; /* by state, after `sweeps` sweeps: with so many steps left */
    uint64_t sweeps;     /* at most the steps */
    /* At least the increase of every state that is not a target in a further sweep. So with all steps left a
     * value is at most value + (steps - sweeps) · rate (docs/theory.md, Lemma 25). */
    double rate;
    /*
     * Of `stored` numbers of steps left, one of the best choices of each state: that with one step less, if
     * it is still one of them, otherwise the first. GRAPH_NONE on targets, in states without choices, and where
     * the value is negligible. NULL if not wanted. See solve_horizon_choice.
     */
    const uint32_t *choice;
    uint64_t stored, stride;
    uint32_t states;
} solve_horizon_result;

/* The choice with this number of steps left, at least 1; that of the nearest smaller number that is stored. */
static inline uint32_t solve_horizon_choice(const solve_horizon_result *result, uint32_t state,
                                            uint64_t left)
{
    uint64_t index = (left - 1) / result->stride;
    if (result->stored == 0)
        return GRAPH_NONE;
    index = index < result->stored ? index : result->stored - 1;
    return result->choice[index * result->states + state];
}

/* Ignores the marks and pairs of the problem. */
opac_status solve_run_horizon(solve_solver *solver, const solve_problem *problem,
                              const solve_horizon *horizon, const opac_cancel *cancel,
                              solve_horizon_result *result, opac_error *error);

/* The exact value of a state after a run with the option `exact`: p, or 1 - p with `complement`. */
opac_status solve_exact_value(const solve_solver *solver, uint32_t state, base_rational *value,
                              opac_error *error);

#endif
