/* SPDX-License-Identifier: MIT */
/* The gridworld's numbers: those of the theory, and of a computation by hand. */
#include "experiment/gridworld.h"

#include <math.h>

#include "support/check.h"
#include "support/faults.h"

static void recurrence_times(void **state)
{
    (void)state;
    grid_worlds worlds;
    opac_error error;
    grid_cover first = {.world = 0, .epsilon = 0.05}, second = {.world = 1, .epsilon = 0.05};
    assert_ok(experiment_grid_open(&worlds, &error), &error);
    assert_ok(experiment_grid_cover(&worlds, &first, NULL, &error), &error);
    assert_int_equal(first.slowest, 306);
    assert_true(fabs(first.slowest_before - 0.949524) < 5e-7);
    assert_true(fabs(first.slowest_reached - 0.950017) < 5e-7);
    assert_int_equal(first.fast, 40);
    assert_ok(experiment_grid_cover(&worlds, &second, NULL, &error), &error);
    assert_int_equal(second.slowest, 596);
    assert_int_equal(second.fast, 20);
    experiment_grid_close(&worlds);
}

/* A leg is one step in the corner and three moves, each with probability 0.8, or 0.4 as printed. */
static void rounds_are_expected(void **state)
{
    (void)state;
    grid_worlds worlds;
    opac_error error;
    double expected;
    assert_ok(experiment_grid_open(&worlds, &error), &error);
    for (unsigned rounds = 0; rounds < 4; rounds++)
        for (unsigned world = 0; world < 2; world++) {
            double move = world == 0 ? 1 / 0.4 : 1 / 0.8;
            assert_ok(experiment_grid_rounds(worlds.fast[world], rounds, &expected, &error),
                      &error);
            assert_true(fabs(expected - 2 * rounds * (1 + 3 * move)) < 1e-10);
        }
    experiment_grid_close(&worlds);
}

static void runs_with_the_papers_parameters(void **state)
{
    (void)state;
    grid_worlds worlds;
    opac_error error;
    opac_trace_entry trace[GRID_MOST_TRACE];
    grid_run run = {.trace = trace}, again = {0};
    grid_setting paper = {
        .name = "paper", .horizon = 19, .rule = OPAC_K_PAPER, .count_pairs = true};
    assert_ok(experiment_grid_open(&worlds, &error), &error);
    assert_ok(experiment_grid_learn(&worlds, &paper, 1, NULL, &run, &error), &error);
    assert_int_equal(run.k, 71394132);
    assert_int_equal(run.check, OPAC_HORIZON_REFUTED);
    assert_false(run.holds);
    assert_true(run.truth > 1 - 1e-9);
    assert_true(run.policy_time >= 40 && run.found >= 37);
    assert_int_equal(run.known, 44);
    assert_int_equal(run.trace_count, 45);
    assert_int_equal(trace[0].known, 0);
    assert_true(trace[44].truth > 1 - 1e-9);
    /* The same without looking. */
    assert_ok(experiment_grid_learn(&worlds, &paper, 1, NULL, &again, &error), &error);
    assert_int_equal(again.steps, run.steps);
    paper.horizon = 306;
    assert_ok(experiment_grid_learn(&worlds, &paper, 2, NULL, &again, &error), &error);
    assert_int_equal(again.k, 18518174353);
    assert_true(again.holds && again.truth > 1 - 1e-9);
    experiment_grid_close(&worlds);
}

static void runs_that_know_other_things(void **state)
{
    (void)state;
    grid_worlds worlds;
    opac_error error;
    grid_run run = {0};
    grid_setting setting = {.name = "l1", .horizon = 306, .rule = OPAC_K_L1};
    assert_ok(experiment_grid_open(&worlds, &error), &error);
    assert_ok(experiment_grid_learn(&worlds, &setting, 1, NULL, &run, &error), &error);
    assert_int_equal(run.k, 136191660);
    assert_true(run.holds);
    setting = (grid_setting){.name = "pmin", .rule = OPAC_K_L1, .pmin = 0.2};
    assert_ok(experiment_grid_learn(&worlds, &setting, 1, NULL, &run, &error), &error);
    assert_true(run.holds && run.truth > 1 - 1e-9 && run.steps < 10000);
    experiment_grid_close(&worlds);
}

static opac_status go_rounds(void *context, opac_error *error)
{
    grid_worlds worlds = {0};
    double expected;
    (void)context;
    opac_status status = experiment_grid_open(&worlds, error);
    if (status == OPAC_OK)
        status = experiment_grid_rounds(worlds.fast[1], 2, &expected, error);
    experiment_grid_close(&worlds);
    return status;
}

static opac_status learn_briefly(void *context, opac_error *error)
{
    grid_worlds worlds = {0};
    opac_trace_entry trace[GRID_MOST_TRACE];
    grid_run run = {.trace = trace};
    const grid_setting *setting = context;
    opac_status status = experiment_grid_open(&worlds, error);
    if (status == OPAC_OK)
        status = experiment_grid_learn(&worlds, setting, 1, NULL, &run, error);
    experiment_grid_close(&worlds);
    return status;
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    grid_setting setting = {.name = "pmin", .rule = OPAC_K_L1, .pmin = 0.2};
    assert_true(faults_sweep_some(go_rounds, 61, NULL) > 10);
    assert_true(faults_sweep_some(learn_briefly, 1009, &setting) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recurrence_times), cmocka_unit_test(rounds_are_expected),
        cmocka_unit_test(runs_with_the_papers_parameters),
        cmocka_unit_test(runs_that_know_other_things), cmocka_unit_test(no_memory_is_an_error)};
    return cmocka_run_group_tests_name("experiment.gridworld", tests, NULL, NULL);
}
