/* SPDX-License-Identifier: MIT */
/*
 * The solver: the greatest probability of an accepted run from every state, and
 * a positional policy that attains it.
 *
 *     problem ─► winning end components ─► values 0 and 1, on the graph
 *                                               │
 *            policy ◄─ enclosure ◄─ quotient ◄──┘
 *
 * With intervals (problem.h), bounds of it: see solve_run_intervals.
 *
 * A solver keeps its memory between runs, so that thousands of small problems
 * allocate in the first one only. One thread at a time uses it.
 */
#ifndef SOLVE_SOLVER_H
#define SOLVE_SOLVER_H

#include "solve/exact.h"
#include "solve/problem.h"
#include "solve/values.h"

typedef struct solve_solver solve_solver;

/* All zeros is a good default. */
typedef struct solve_options {
    double precision; /* relative width of the enclosure; with intervals, how near both bounds are,
                         absolute, below 1; 0: 1e-6 */
    bool complement;  /* 1 - p is wanted, to that precision: lower and upper are of 1 - p */
    bool graph_only; /* values that the graph does not decide are left at [0, 1]; no policy there */
    bool exact;      /* fractions as well: solve_exact_value */
    bool no_policy;  /* the policy is not wanted */
    /*
     * Choices to be preferred, by the learner those that are not known yet; may
     * be NULL. One that leads nowhere but to winning states that cannot be left
     * is taken before all others; elsewhere it is preferred among equals. See
     * extract.h.
     */
    const base_bitset *first;
    /*
     * By state: a number that the greatest probability is known not to exceed,
     * such as `upper` of a run before some choices changed for the worse; NULL:
     * nothing is known. Not with complement.
     */
    const double *upper;
    /*
     * With intervals. By state: where to begin, for instance with the bounds of a problem that is
     * nearly the same; what is not proven in a few sweeps is not used. NULL: nothing is known.
     */
    const double *guess_upper, *guess_lower;
    /* With intervals. Asked now and then; once it says so, the result is what is proven by then. */
    bool (*stop)(const void *context); /* NULL: never */
    const void *stop_context;
    base_pool *pool; /* for numbers */
    const opac_cancel *cancel;
    opac_progress *progress;
} solve_options;

/* All arrays and sets belong to the solver and last until its next run. */
typedef struct solve_result {
    base_bitset zero, one;       /* states whose greatest probability is 0 and 1 */
    base_bitset winning;         /* states of winning end components, a part of `one` */
    uint32_t components;         /* how many of those were found */
    const double *lower, *upper; /* by state */
    const uint32_t *choice;      /* by state: the policy; GRAPH_NONE for states without choices,
                                    and for undecided ones with graph_only; NULL with no_policy */
    bool met;                    /* the enclosures are as narrow as was asked for */
    uint64_t sweeps;
} solve_result;

opac_status solve_solver_new(solve_solver **solver, opac_error *error);
void solve_solver_free(solve_solver *solver);
opac_status solve_run(solve_solver *solver, const solve_problem *problem,
                      const solve_options *options, solve_result *result, opac_error *error);

/*
 * Two questions at once about a problem with intervals, or with unseen mass:
 *
 *     upper   the greatest probability of an accepted run, over policies and models; a run that has
 *             an unseen outcome is accepted
 *     lower   the greatest, over policies, of the least, over models; such a run is rejected
 *
 * Of the options only precision, the guesses, stop and cancel are looked at.
 */
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
    const uint32_t *pessimistic;
    /*
     * By state: an optimistic policy. Among the choices that attain `upper` but for the
     * precision: one that has unseen mass, the lowest; else one that comes nearer to a state with
     * such a one; else one that makes progress to a winning state. In winning states their strategy.
     */
    const uint32_t *optimistic;
    uint64_t sweeps;
    bool is_stopped; /* it was stopped: both are bounds, and may be far from the precision */
} solve_interval_result;

opac_status solve_run_intervals(solve_solver *solver, const solve_problem *problem,
                                const solve_options *options, solve_interval_result *result,
                                opac_error *error);

/* The greatest probability of being in a target, or of having had an unseen outcome, within some steps. */
typedef struct solve_horizon {
    const base_bitset *target; /* states */
    uint32_t steps;
    /* The greatest over models, unseen outcomes are worth 1, rounded up; else the least over models
     * (the greatest of that over policies), they are worth 0, rounded down. */
    bool optimistic;
    bool policy; /* the choices are wanted */
} solve_horizon;

typedef struct solve_horizon_result {
    const double *value; /* by state, with all steps left */
    /* choice[(t - 1) * states + s]: what to do in s with t steps left, the first of the best;
     * GRAPH_NONE on targets and in states without choices. NULL: not asked for. */
    const uint32_t *choice;
} solve_horizon_result;

/* Marks and pairs of the problem are not looked at. */
opac_status solve_run_horizon(solve_solver *solver, const solve_problem *problem,
                              const solve_horizon *horizon, const opac_cancel *cancel,
                              solve_horizon_result *result, opac_error *error);

/* After a run with `exact`: p, or 1 - p with `complement`, of a state. */
opac_status solve_exact_value(const solve_solver *solver, uint32_t state, base_rational *value,
                              opac_error *error);

#endif
