/* SPDX-License-Identifier: MIT */
/*
 * Brute force: computes the maximal probability of an accepted run in exact fractions, as an oracle for
 * processes with a few states. It shares no algorithm with the library: reachability by transitive closure,
 * dense elimination, and enumeration of all positional policies.
 *
 *     brute_case drawn;
 *     brute_draw(&random, (random_shape){6, 3, 3}, BRUTE_RABIN, &drawn);
 *     base_rational *best[BRUTE_STATES];
 *     brute_values_new(6, best);
 *     brute_optimum(&drawn, best);
 *     …
 *     brute_values_free(6, best);
 *     brute_fini(&drawn);
 *
 * Costs (choices per state)^states eliminations. Requires base_rational_available(); otherwise tests skip.
 */
#ifndef SUPPORT_BRUTE_H
#define SUPPORT_BRUTE_H

#include "base/rational.h"
#include "solve/problem.h"
#include "support/random_process.h"

enum {
    BRUTE_STATES = 12,
    BRUTE_CHOICES = 16, /* for brute_optimum_of_marks, which tries all sets of them */
    BRUTE_PAIRS = 4
};

/* The acceptance condition, as a function of the set of marks that a run has infinitely often. */
typedef bool (*brute_condition)(const void *context, uint64_t marks);

typedef struct brute_case {
    graph_process process;
    base_ratio *exact; /* by edge */
    uint64_t *marks;   /* by choice */
    solve_rabin_pair pairs[BRUTE_PAIRS];
    uint32_t pair_count;
} brute_case;

typedef enum brute_kind {
    BRUTE_BUCHI,
    BRUTE_CO_BUCHI,
    BRUTE_PARITY,
    BRUTE_RABIN,
    BRUTE_KINDS
} brute_kind;

/*
 * A random process with weights 1 … 4 per edge, normalised, and marks 0 … 5. A state may have no choice; a
 * target may occur twice in a choice.
 */
void brute_draw(uint64_t *random, random_shape shape, brute_kind kind, brute_case *drawn);
void brute_fini(brute_case *drawn);
/* The input of the solver; borrows the case. */
solve_problem brute_problem(const brute_case *drawn);

/* count rationals, all 0. */
void brute_values_new(uint32_t count, base_rational **value);
void brute_values_free(uint32_t count, base_rational **value);

/* By state: the probability of an accepted run under the policy (by state: a choice). */
void brute_evaluate(const solve_problem *problem, const uint32_t *policy, base_rational **value);
/* By state: the maximum over all positional policies. */
void brute_optimum(const solve_problem *problem, base_rational **value);
/*
 * By state: the maximum over all policies, including those with memory, for any condition on marks
 * (Emerson-Lei). Tries all sets of choices as end components; the targets are those whose marks satisfy the
 * condition.
 */
void brute_optimum_of_marks(const solve_problem *problem, brute_condition accepts,
                            const void *context, base_rational **value);
/* The condition for Rabin pairs; the context is a solve_problem. */
bool brute_pairs_accept(const void *problem, uint64_t marks);
/* By state: the maximal probability of reaching one of the targets. */
void brute_reach(const solve_problem *problem, const bool *targets, base_rational **value);

#endif
