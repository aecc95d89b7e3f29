/* SPDX-License-Identifier: MIT */
/* Example 1 of the paper: times by formula and by computation, learners, and one that is wrong. */
#include "experiment/robust.h"

#include <math.h>

#include "experiment/small.h"

static const double some_p[] = {0.001, 0.01, 0.1, 0.5};
static const double some_wrong[] = {1e-9, 5e-7, 1e-3};

static const experiment_robust_size small_size = {.p = some_p,
                                                  .p_count = 4,
                                                  .least = 0.01,
                                                  .runs = 3,
                                                  .wrong = some_wrong,
                                                  .wrong_count = 3,
                                                  .wrong_runs = 40};

/* What an experiment computed, for a look at it from outside. */
static experiment_robust_point points[4];
static experiment_robust_wrong wrong[3];
static uint64_t wrong_k;

static opac_status compute(experiment_lab *lab, opac_error *error)
{
    opac_status status = experiment_robust_run(lab, &small_size, points, error);
    if (status == OPAC_OK)
        status = experiment_robust_mislead(lab, &small_size, wrong, &wrong_k, error);
    return status;
}

static void numbers(void **state)
{
    static const experiment_entry entry = {{"robust", "numbers"}, compute};
    static const uint64_t recurrent[] = {2996, 300, 30, 6}, needed[] = {2302, 230, 22, 4};
    (void)state;
    small_compute(&entry);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(points[i].recurrent, recurrent[i]);
        assert_int_equal(points[i].formula, recurrent[i]);
        assert_int_equal(points[i].safe, recurrent[i] + 1);
        assert_int_equal(points[i].needed, needed[i]);
        assert_int_equal(points[i].steps[EXPERIMENT_ROBUST_GRAPH], 0);
        assert_true(points[i].steps[EXPERIMENT_ROBUST_LEAST] >= needed[i]);
        assert_int_equal(points[i].runs, some_p[i] < 0.01 ? 6 : 9);
        assert_int_equal(points[i].right, points[i].runs);
    }
    /* k as `omegapac bound` has it, and steps: each action k times, and a little on the way. */
    assert_int_equal(points[2].k[OPAC_K_PAPER].value, 3368903);
    assert_int_equal(points[2].k[OPAC_K_SOUND].value, 3901794);
    assert_int_equal(points[2].k[OPAC_K_L1].value, 842226);
    assert_true(points[0].steps[EXPERIMENT_ROBUST_TIME] == UINT64_MAX);
    for (int i = 1; i < 4; i++) {
        uint64_t k = points[i].k[OPAC_K_L1].value;
        assert_in_range(points[i].steps[EXPERIMENT_ROBUST_TIME], 2 * k, 2 * k + 10000);
    }
}

/*
 * The share of runs that were wrong against its exact probability, three times: at 1e-9 the exact
 * one is .99916, and 37 of 40 or fewer have probability 6e-6; at 5e-7 it is .656, and five
 * standard deviations are 15 runs; at 1e-3 it is 0.
 */
static void a_wrong_time_misleads(void **state)
{
    (void)state;
    assert_int_equal(wrong_k, 842226);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(wrong[i].exact -
                         exp(-842226.0 * (wrong[i].p + wrong[i].p * wrong[i].p / 2))) < 1e-6);
        assert_int_equal(wrong[i].confirmed, wrong[i].wrong);
    }
    assert_true(wrong[0].wrong >= 38);
    assert_in_range(wrong[1].wrong, 11, 40);
    assert_int_equal(wrong[2].wrong, 0);
}

/* ---- the page ---- */

static opac_status small(experiment_lab *lab, opac_error *error)
{
    static const double p[] = {0.1, 0.5}, few[] = {1e-8, 1e-5};
    static const experiment_robust_size size = {.p = p,
                                                .p_count = 2,
                                                .least = 0.2,
                                                .runs = 2,
                                                .wrong = few,
                                                .wrong_count = 2,
                                                .wrong_runs = 2};
    return experiment_robust_sized(lab, &size, error);
}

static const experiment_entry small_entry = {{"robust", "small"}, small};

static void threads_change_nothing(void **state)
{
    (void)state;
    static const small_text texts[] = {
        {"robust-samples.svg", "steps, median of 2 runs"},
        {"robust-wrong.svg", "share of 2 runs"},
        {"robust.html", "medians of 2 runs"},
        {"robust.html", "Pairs of the model are counted here, N = 2"},
        {"robust.html", "The recurrence time T for <code>G F s0"},
        {NULL, NULL}};
    opac_experiment_result *result = small_same(&small_entry, 7, texts);
    assert_string_equal(small_finding(result, "T for p = 0.5"), "6 for G F s0, 7 for G s0");
    assert_string_equal(small_finding(result, "T for p = 0.1"), "30 for G F s0, 31 for G s0");
    assert_string_equal(small_finding(result, "runs that chose a"), "10 of 10");
    opac_experiment_result_free(result);
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    small_sweep(&small_entry, 397);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(a_wrong_time_misleads),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests_name("experiment.robust", tests, NULL, NULL);
}
