/* SPDX-License-Identifier: MIT */
/*
 * The solver: the greatest probability of an accepted run from every state, and
 * a positional policy that attains it.
 *
 *     problem ─► winning end components ─► values 0 and 1, on the graph
 *                                               │
 *            policy ◄─ enclosure ◄─ quotient ◄──┘
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
    double precision; /* relative width of the enclosure; 0: 1e-6 */
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
    base_pool *pool;
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

/* After a run with `exact`: p, or 1 - p with `complement`, of a state. */
opac_status solve_exact_value(const solve_solver *solver, uint32_t state, base_rational *value,
                              opac_error *error);

#endif
