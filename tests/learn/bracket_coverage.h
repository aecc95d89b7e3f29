/* SPDX-License-Identifier: MIT */
/*
 * Coverage of brackets over hundreds or thousands of runs: by episodes, by draws and with a graph. Runs
 * with wrong intervals, supports or bounds on unseen mass must be detected.
 */
#ifndef TESTS_LEARN_BRACKET_COVERAGE_H
#define TESTS_LEARN_BRACKET_COVERAGE_H

#include "learn/bracket_cases.h"

/* Size of the test: `models` of each kind, `runs` of each model, and steps of a run. */
typedef struct coverage_size {
    uint64_t seed;
    unsigned models, runs;
    uint64_t steps;
} coverage_size;

static bracket_run usual(const coverage_size *size)
{
    return (bracket_run){
        .delta = 0.1, .epsilon = 0.02, .steps = size->steps, .tuning = {.patience = 1e6}};
}

static void keep(const coverage_size *size, uint64_t number, const bracket_run *run)
{
    bracket_assert_kept(size->seed + number, size->models, size->runs, run);
}

static void break_it(const coverage_size *size, uint64_t number, const bracket_run *run)
{
    bracket_assert_broken(size->seed + number, size->models, size->runs, run);
}

static void episodes(void **state)
{
    bracket_run run = usual(*state);
    keep(*state, 1, &run);
    run.delta = 0.5;
    keep(*state, 2, &run);
    run.delta = 0.9;
    keep(*state, 14, &run);
}

static void draws(void **state)
{
    bracket_run run = usual(*state);
    run.generative = true;
    keep(*state, 3, &run);
    run.delta = 0.9;
    keep(*state, 15, &run);
}

static void graphs(void **state)
{
    bracket_run run = usual(*state);
    run.graph = true;
    keep(*state, 4, &run);
}

static void rows_alike(void **state)
{
    bracket_run run = usual(*state);
    run.alike = true;
    keep(*state, 13, &run);
    run.delta = 0.5;
    keep(*state, 14, &run);
    run.pmin_outcome = bracket_pmin;
    keep(*state, 15, &run);
    run.graph = true;
    keep(*state, 16, &run);
    run.pmin_outcome = 0;
    keep(*state, 17, &run);
}

/* Three starts, of which nothing is known: with as many successors as that declared, and with more,
 * so that mass stays unseen. */
static void random_starts(void **state)
{
    bracket_run run = usual(*state);
    run.starts = 3;
    run.delta = 0.5;
    keep(*state, 8, &run);
    run.branching = 9;
    keep(*state, 9, &run);
    run.generative = true;
    keep(*state, 10, &run);
}

/* And of which a bound is known. */
static void bounded_starts(void **state)
{
    bracket_run run = usual(*state);
    run.starts = 3;
    run.pmin_start = 0.3;
    run.delta = 0.5;
    keep(*state, 11, &run);
    run.graph = true;
    keep(*state, 12, &run);
}

/* Each row has the least bound that is true: most rows have more than 1/8. */
static void bounds_by_row(void **state)
{
    bracket_run run = usual(*state);
    run.by_row = true;
    run.delta = 0.5;
    keep(*state, 13, &run);
    run.generative = true;
    run.starts = 3;
    keep(*state, 14, &run);
}

static void hasty_supports_by_row_are_noticed(void **state)
{
    bracket_run run = usual(*state);
    run.by_row = true;
    run.delta = 0.05;
    run.tuning.visits_divisor = 8;
    run.tuning.skip_check = true;
    break_it(*state, 15, &run);
}

/* Ends of intervals that are next to 0, and certificates that are accepted all the same. */
static void tiny_bounds(void **state)
{
    bracket_run run = usual(*state);
    run.graph = true;
    run.pmin = 1e-8;
    keep(*state, 7, &run);
}

static void narrow_intervals_are_noticed(void **state)
{
    bracket_run run = usual(*state);
    run.delta = 0.05;
    run.tuning.interval_scale = 0.3;
    run.tuning.skip_check = true;
    break_it(*state, 5, &run);
}

static void hasty_supports_are_noticed(void **state)
{
    bracket_run run = usual(*state);
    run.delta = 0.05;
    run.tuning.visits_divisor = 20;
    run.tuning.skip_check = true;
    break_it(*state, 6, &run);
}

/* Without the rest, an outcome that a row has not shown is taken for impossible. */
static void unshown_outcomes_are_noticed(void **state)
{
    bracket_run run = usual(*state);
    run.alike = true;
    run.delta = 0.05;
    run.tuning.trusts_rows = true;
    run.tuning.skip_check = true;
    break_it(*state, 18, &run);
}

/* Too small bounds on unseen mass also make rows complete too early. */
static void small_masses_are_noticed(void **state)
{
    bracket_run run = usual(*state);
    run.delta = 0.05;
    run.tuning.mass_scale = 0.01;
    run.tuning.skip_check = true;
    break_it(*state, 13, &run);
}

static int cover(coverage_size size)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(episodes, &size),
        cmocka_unit_test_prestate(draws, &size),
        cmocka_unit_test_prestate(graphs, &size),
        cmocka_unit_test_prestate(rows_alike, &size),
        cmocka_unit_test_prestate(unshown_outcomes_are_noticed, &size),
        cmocka_unit_test_prestate(random_starts, &size),
        cmocka_unit_test_prestate(bounded_starts, &size),
        cmocka_unit_test_prestate(bounds_by_row, &size),
        cmocka_unit_test_prestate(hasty_supports_by_row_are_noticed, &size),
        cmocka_unit_test_prestate(tiny_bounds, &size),
        cmocka_unit_test_prestate(narrow_intervals_are_noticed, &size),
        cmocka_unit_test_prestate(hasty_supports_are_noticed, &size),
        cmocka_unit_test_prestate(small_masses_are_noticed, &size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
