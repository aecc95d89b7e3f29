/* SPDX-License-Identifier: MIT */
/* The counterexample: both times, and what learners make of them. */
#include "experiment/counterexample.h"

#include <math.h>

#include "experiment/small.h"

static const double some_r[] = {1e-12, 1e-3, 0.1};
static const double some_shares[] = {1e-12, 3e-10, 1e-6};

static const experiment_counter_size small_size = {
    .r = some_r, .r_count = 3, .least = 1e-3, .shares = some_shares, .share_count = 3, .runs = 20};

/* What an experiment computed, for a look at it from outside. */
static experiment_counter_point points[3];
static experiment_counter_share shares[3];

static opac_status compute(experiment_lab *lab, opac_error *error)
{
    opac_status status = experiment_counter_run(lab, &small_size, points, error);
    if (status == OPAC_OK)
        status = experiment_counter_count(lab, &small_size, shares, error);
    return status;
}

static void assert_found(const experiment_trial *trial)
{
    assert_true(trial->holds && trial->truth > 1 - 1e-9 && trial->value > 1 - 1e-9);
}

static void times(void **state)
{
    static const experiment_entry entry = {{"counterexample", "numbers"}, compute};
    (void)state;
    small_compute(&entry);
    assert_int_equal(points[0].literal, 323);
    assert_int_equal(points[0].literal_k[OPAC_K_PAPER].value, 2763840763);
    assert_int_equal(points[0].covered, 2995732273654);
    assert_int_equal(points[0].covered_k[OPAC_K_PAPER].value, UINT64_MAX);
    assert_true(fabs(points[0].covered_k[OPAC_K_PAPER].log10 - 29.376) < 0.001);
    assert_true(fabs(points[0].covered_k[OPAC_K_L1].log10 - 27.978) < 0.001);
    assert_int_equal(points[1].literal, 317);
    assert_int_equal(points[1].covered, 3101);
    /* The literal definition is not always the weaker one. */
    assert_int_equal(points[2].literal, 329);
    assert_int_equal(points[2].covered, 310);
}

static void who_knows_something_finds_the_optimum(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(points[i].is_covered_run, i > 0);
        if (points[i].is_covered_run) {
            assert_found(&points[i].known_time);
            assert_int_equal(points[i].known_time.k, points[i].covered_k[OPAC_K_L1].value);
        }
        assert_found(&points[i].known_least);
        assert_true(points[i].known_least.lower == 1 && points[i].known_least.upper == 1);
        assert_true((double)points[i].known_least.steps > 4 / fmin(points[i].r, 0.01));
        assert_found(&points[i].known_graph);
        assert_int_equal(points[i].known_graph.steps, 0);
        assert_true(points[i].known_graph.lower == 1 && points[i].known_graph.upper == 1);
    }
}

/*
 * For r = 1e-12 a run sees a return with probability 1/362 (rule paper) or 1/9045 (l1): more than
 * two of 20 do with probability 2.4e-5, more than one with 2.3e-6. For 3e-10 it is .564, none or
 * all of 20 with probability 1.1e-5; with rule l1 .0326, and more than 6 of 20 have probability
 * 2e-6. For 1e-6 all do. A false alarm in one of 25 000 seeds.
 */
static void the_literal_time_misleads(void **state)
{
    (void)state;
    assert_int_equal(shares[0].k[0], 2763840763);
    assert_int_equal(shares[0].k[1], 110553631);
    for (int i = 0; i < 3; i++)
        for (int rule = 0; rule < EXPERIMENT_COUNTER_RULES; rule++) {
            uint64_t safe = shares[i].safe[rule];
            assert_int_equal(shares[i].confident[rule], 20 - safe);
            assert_int_equal(shares[i].refuted[rule], safe);
            assert_true(fabs(shares[i].worth[rule] - (1 - (20 - (double)safe) / 40)) < 1e-9);
        }
    assert_true(shares[0].safe[0] <= 2 && shares[0].safe[1] <= 1);
    assert_in_range(shares[1].safe[0], 1, 19);
    assert_in_range(shares[1].safe[1], 0, 6);
    assert_true(shares[2].safe[0] == 20 && shares[2].safe[1] == 20);
}

/* ---- the page ---- */

static opac_status small(experiment_lab *lab, opac_error *error)
{
    static const double r[] = {1e-12, 0.01}, few[] = {1e-12, 1e-8};
    static const experiment_counter_size size = {
        .r = r, .r_count = 2, .least = 0.01, .shares = few, .share_count = 2, .runs = 2};
    return experiment_counter_sized(lab, &size, error);
}

static const experiment_entry small_entry = {{"counterexample", "small"}, small};

static void threads_change_nothing(void **state)
{
    (void)state;
    static const small_text texts[] = {
        {"counterexample-values.svg", "mean of 2 runs"},
        {"counterexample.html", "averaged over 2 runs"},
        {"counterexample.html", "(<code>--explore generative</code>)"},
        /* Beyond 64 bits it is a number still, not a text. */
        {"counterexample.json", ", 2995732273654, 2.37"},
        {NULL, NULL}};
    opac_experiment_result *result = small_same(&small_entry, 6, texts);
    assert_string_equal(small_finding(result, "T by Definition 1, literally"), "323");
    assert_string_equal(small_finding(result, "k by Theorem 1 with it"), "2763840763");
    assert_string_equal(small_finding(result, "T: all seen, and all seen again"), "2995732273654");
    assert_string_equal(small_finding(result, "runs that see a return"), "one in 362, exactly");
    assert_string_equal(small_finding(result, "samples with the graph"),
                        "0, for a bracket of [1, 1]");
    opac_experiment_result_free(result);
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    small_sweep(&small_entry, 4999);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times),
        cmocka_unit_test(who_knows_something_finds_the_optimum),
        cmocka_unit_test(the_literal_time_misleads),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests_name("experiment.counterexample", tests, NULL, NULL);
}
