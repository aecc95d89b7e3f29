/* SPDX-License-Identifier: MIT */
/*
 * Compares the solver with brute force over all positional policies, in exact fractions, on random
 * processes of at most six states with Büchi, co-Büchi, parity and Rabin conditions. Used by a quick test
 * and one with many more cases.
 */
#ifndef TEST_SOLVE_BRUTE_CASES_H
#define TEST_SOLVE_BRUTE_CASES_H

#include "solve/solver.h"
#include "support/brute.h"
#include "support/check.h"
#include "support/rational.h"

typedef struct brute_check {
    solve_solver *solver;
    solve_problem problem;
    uint32_t count;                    /* states */
    base_rational *best[BRUTE_STATES]; /* by brute force: p, then 1 - p */
    base_rational *found[BRUTE_STATES], *bound;
    uint32_t between, components; /* statistics of the cases */
} brute_check;

static inline int compare_double(brute_check *check, const base_rational *number, double value)
{
    rational_set_double(check->bound, value);
    return rational_compare(number, check->bound);
}

/* Whether the number agrees with the result for the state. */
static inline void assert_inside(brute_check *check, const solve_result *result,
                                 base_rational **number)
{
    for (uint32_t s = 0; s < check->count; s++) {
        assert_true(compare_double(check, number[s], result->lower[s]) >= 0);
        assert_true(compare_double(check, number[s], result->upper[s]) <= 0);
    }
}

static inline void assert_sets(brute_check *check, const solve_result *result, bool complement)
{
    for (uint32_t s = 0; s < check->count; s++) {
        bool is_zero = compare_double(check, check->best[s], complement) == 0;
        bool is_one = compare_double(check, check->best[s], !complement) == 0;
        assert_int_equal(base_bitset_has(&result->zero, s), is_zero);
        assert_int_equal(base_bitset_has(&result->one, s), is_one);
        assert_true(is_one || !base_bitset_has(&result->winning, s));
        check->between += !is_zero && !is_one;
    }
    check->components += result->components;
}

/* check->found: the value of the policy, or 1 minus it. */
static inline void evaluate_policy(brute_check *check, const solve_result *result, bool complement)
{
    const graph_process *process = check->problem.process;
    uint32_t policy[BRUTE_STATES] = {0};
    for (uint32_t s = 0; s < check->count; s++) {
        if (process->choice_begin[s] == process->choice_begin[s + 1])
            continue;
        policy[s] = result->choice[s];
        assert_in_range(policy[s], process->choice_begin[s], process->choice_begin[s + 1] - 1);
    }
    brute_evaluate(&check->problem, policy, check->found);
    for (uint32_t s = 0; complement && s < check->count; s++)
        rational_complement(check->found[s]);
}

static inline void check_enclosure(brute_check *check, bool complement)
{
    opac_error error;
    solve_result result;
    const solve_options options = {.complement = complement};
    assert_ok(solve_run(check->solver, &check->problem, &options, &result, &error), &error);
    assert_inside(check, &result, check->best);
    assert_sets(check, &result, complement);
    for (uint32_t s = 0; s < check->count && result.met; s++)
        assert_true(result.upper[s] - result.lower[s] <= 1e-6 * result.upper[s]);
    evaluate_policy(check, &result, complement);
    assert_inside(check, &result, check->found);
}

static inline void check_exact(brute_check *check, bool complement)
{
    opac_error error;
    solve_result result;
    const solve_options options = {.complement = complement, .exact = true};
    assert_ok(solve_run(check->solver, &check->problem, &options, &result, &error), &error);
    for (uint32_t s = 0; s < check->count; s++) {
        assert_ok(solve_exact_value(check->solver, s, check->found[s], &error), &error);
        assert_int_equal(rational_compare(check->found[s], check->best[s]), 0);
    }
    assert_inside(check, &result, check->best);
    assert_sets(check, &result, complement);
    evaluate_policy(check, &result, complement);
    for (uint32_t s = 0; s < check->count; s++)
        assert_int_equal(rational_compare(check->found[s], check->best[s]), 0);
}

static inline void check_case(brute_check *check, const brute_case *drawn)
{
    opac_error error;
    check->problem = brute_problem(drawn);
    check->count = drawn->process.state_count;
    brute_values_new(check->count, check->best);
    brute_values_new(check->count, check->found);
    assert_ok(base_rational_new(&check->bound, &error), &error);
    brute_optimum(&check->problem, check->best);
    check_enclosure(check, false);
    check_exact(check, false);
    for (uint32_t s = 0; s < check->count; s++)
        rational_complement(check->best[s]);
    check_enclosure(check, true);
    check_exact(check, true);
    base_rational_free(check->bound);
    brute_values_free(check->count, check->found);
    brute_values_free(check->count, check->best);
}

/* Runs `cases` cases of each kind of condition. */
static inline void run_brute_cases(uint64_t seed, uint32_t cases)
{
    uint64_t random = random_seed(seed);
    brute_check check = {0};
    opac_error error;
    assert_ok(solve_solver_new(&check.solver, &error), &error);
    for (uint32_t i = 0; i < cases * BRUTE_KINDS; i++) {
        brute_case drawn;
        random_shape shape = {.states = 1 + random_below(&random, 6),
                              .most_choices = 1 + random_below(&random, 3),
                              .most_edges = 1 + random_below(&random, 3)};
        brute_draw(&random, shape, i % BRUTE_KINDS, &drawn);
        check_case(&check, &drawn);
        brute_fini(&drawn);
    }
    assert_true(check.between > cases);
    assert_true(check.components > cases);
    solve_solver_free(check.solver);
}

#endif
