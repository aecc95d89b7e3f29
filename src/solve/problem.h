/* SPDX-License-Identifier: MIT */
/*
 * What the solver is given, and nothing else: a decision process whose choices
 * carry marks, and Rabin pairs over those marks. A run is accepted when, for
 * some pair, it takes choices with a mark of `fin` only finitely often, and
 * choices with a mark of `inf` infinitely often. A run that stays in a state
 * without choices is rejected.
 *
 * Büchi is one pair without fin; co-Büchi one whose inf is on every choice;
 * parity a pair for each accepting priority.
 */
#ifndef SOLVE_PROBLEM_H
#define SOLVE_PROBLEM_H

#include "base/ratio.h"
#include "graph/process.h"

typedef struct solve_pair {
    uint64_t fin, inf; /* sets of marks */
} solve_pair;

typedef struct solve_problem {
    const graph_process *process; /* with probabilities */
    const uint64_t *marks;        /* by choice */
    const solve_pair *pairs;
    uint32_t pair_count;
    const base_ratio *exact; /* by edge: its probability; NULL: only doubles are known */
} solve_problem;

#endif
