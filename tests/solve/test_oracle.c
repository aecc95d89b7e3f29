/* SPDX-License-Identifier: MIT */
/*
 * Tests the brute-force oracle (tests/support/brute.h) on a process with known values, and compares its two
 * methods.
 */
#include "base/alloc.h"
#include "support/brute.h"
#include "support/check.h"
#include "support/invariants.h"
#include "support/rational.h"

static void assert_text(const base_rational *rational, const char *expected)
{
    opac_error error;
    char *text;
    assert_ok(base_rational_format(rational, &text, &error), &error);
    assert_string_equal(text, expected);
    base_free(text);
}

/*
 *     0 ─a─► 1/3: 1, 2/3: 2        0 ─b─► 1/2: 0, 1/4: 1, 1/4: 3
 *     1 loops with mark 0          2 loops with mark 1, or goes to 1 or 3 evenly
 *     3 has no choice
 */
static void test_by_hand(void **state)
{
    (void)state;
    static const uint32_t choice_begin[] = {0, 2, 3, 5, 5}, edge_begin[] = {0, 2, 5, 6, 7, 9},
                          target[] = {1, 2, 0, 1, 3, 1, 2, 1, 3};
    static const double prob[] = {1.0 / 3, 2.0 / 3, .5, .25, .25, 1, 1, .5, .5};
    static const base_ratio exact[] = {{1, 3}, {2, 3}, {1, 2}, {1, 4}, {1, 4},
                                       {1, 1}, {1, 1}, {1, 2}, {1, 2}};
    static const uint64_t marks[] = {0, 1, 1, 2, 0};
    static const solve_rabin_pair first = {.fin = 2, .inf = 1}, second = {.fin = 0, .inf = 2};
    const graph_process process = {.state_count = 4,
                                   .choice_count = 5,
                                   .edge_count = 9,
                                   .choice_begin = choice_begin,
                                   .edge_begin = edge_begin,
                                   .target = target,
                                   .prob = prob};
    solve_problem problem = {
        .process = &process, .marks = marks, .pairs = &first, .pair_count = 1, .exact = exact};
    if (!base_rational_available())
        skip();
    base_rational *value[4];
    brute_values_new(4, value);
    brute_optimum(&problem, value);
    assert_text(value[0], "2/3");
    assert_text(value[1], "1");
    assert_text(value[2], "1/2");
    assert_text(value[3], "0");
    brute_evaluate(&problem, (uint32_t[]){1, 2, 3, 5}, value);
    assert_text(value[0], "1/2");
    assert_text(value[2], "0");
    problem.pairs = &second;
    brute_optimum(&problem, value);
    assert_text(value[0], "2/3");
    assert_text(value[1], "0");
    brute_values_free(4, value);
}

static void test_oracle_methods(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    uint64_t random = random_seed(511);
    uint32_t between = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        brute_case drawn;
        base_rational *some[BRUTE_STATES], *all[BRUTE_STATES];
        uint32_t count = 1 + random_below(&random, 6);
        brute_draw(&random, (random_shape){count, 2, 3}, i % BRUTE_KINDS, &drawn);
        const solve_problem problem = brute_problem(&drawn);
        opac_error error;
        assert_ok(graph_process_check(problem.process, 1e-12, &error), &error);
        brute_values_new(count, some);
        brute_values_new(count, all);
        brute_optimum(&problem, some);
        brute_optimum_of_marks(&problem, brute_pairs_accept, &problem, all);
        for (uint32_t s = 0; s < count; s++) {
            double value, lower, upper;
            assert_int_equal(rational_compare(some[s], all[s]), 0);
            rational_to_double(some[s], &value, &lower, &upper);
            between += value > 0 && value < 1;
        }
        brute_values_free(count, some);
        brute_values_free(count, all);
        brute_fini(&drawn);
    }
    assert_true(between > 100); /* not all cases are trivial */
}

SUITE(oracle)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_oracle_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
