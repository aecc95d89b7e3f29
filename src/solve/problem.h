/* SPDX-License-Identifier: MIT */
/*
 * What the solver is given, and nothing else: a decision process whose choices
 * carry marks, and Rabin pairs over those marks. A run is accepted when, for
 * some pair, it takes choices with a mark of `fin` only finitely often, and
 * choices with a mark of `inf` infinitely often. A run that stays in a state
 * without choices is rejected.
 *
 * Probabilities are numbers, or intervals: then every model within them is
 * possible in which each edge has a positive probability, be its lower end 0 or not. A choice may
 * have outcomes that are none of its edges, of a mass up to `unseen`: together with q(e) in
 * [lower(e), upper(e)] that is q(unseen) in [0, unseen], and the sum is 1. Nothing is known of what
 * follows. Where unseen is 1 the edges are not looked at, and there need be none.
 *
 * Büchi is one pair without fin; co-Büchi one whose inf is on every choice;
 * parity a pair for each accepting priority.
 */
#ifndef SOLVE_PROBLEM_H
#define SOLVE_PROBLEM_H

#include "base/ratio.h"
#include "graph/process.h"

typedef struct solve_rabin_pair {
    uint64_t fin, inf; /* sets of marks */
} solve_rabin_pair;

typedef struct solve_problem {
    const graph_process *process; /* with probabilities, if they are numbers */
    const uint64_t *marks;        /* by choice */
    const solve_rabin_pair *pairs;
    uint32_t pair_count;
    const base_ratio *exact; /* by edge: its probability; NULL: only doubles are known */
    /* By edge: 0 <= lower <= upper <= 1, 0 < upper; NULL: numbers. Only for solve_run_intervals. */
    const double *lower, *upper;
    const double *unseen; /* by choice, from 0 to 1; NULL: 0 everywhere */
} solve_problem;

#endif
