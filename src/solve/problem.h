/* SPDX-License-Identifier: MIT */
/*
 * The input of the solver: a Markov decision process whose choices carry marks, and Rabin pairs over these
 * marks. A run is accepted if, for some pair, it takes choices with a mark of `fin` only finitely often and
 * choices with a mark of `inf` infinitely often. A run that stays in a state without choices is rejected.
 *
 * Probabilities are numbers or intervals. With intervals, the models are all choices of probabilities
 * within them in which each edge has a positive probability, even if its lower end is 0. A choice may also
 * have unseen outcomes, with a total probability q(unseen) in [0, unseen]: together with the q(e) in
 * [lower(e), upper(e)] of its edges it sums to 1. Nothing is known about what follows an unseen outcome. If
 * unseen is 1, the edges are ignored, and the choice may have none.
 *
 * A Büchi condition is a pair without fin; a co-Büchi condition is a pair whose inf is on every choice; a
 * parity condition is a pair for each accepting priority.
 */
#ifndef SOLVE_PROBLEM_H
#define SOLVE_PROBLEM_H

#include "base/ratio.h"
#include "graph/process.h"

typedef struct solve_rabin_pair {
    uint64_t fin, inf; /* sets of marks */
} solve_rabin_pair;

typedef struct solve_problem {
    const graph_process *process; /* has probabilities unless they are intervals */
    const uint64_t *marks;        /* by choice: set of marks */
    const solve_rabin_pair *pairs;
    uint32_t pair_count;
    const base_ratio *exact; /* by edge: its exact probability; NULL: only doubles are known */
    /* By edge: 0 <= lower <= upper <= 1, 0 < upper; NULL: numbers. For solve_run_intervals only. */
    const double *lower, *upper;
    const double *unseen; /* by choice, between 0 and 1; NULL: 0 everywhere */
} solve_problem;

#endif
