/* SPDX-License-Identifier: MIT */
/*
 * Comparison of bounds with intervals: every verdict must be that of exact fractions for all values in
 * the interval, and it must be decided if both ends agree.
 */
#include <math.h>

#include "check/bound.h"
#include "support/check.h"
#include "support/random.h"
#include "support/rational.h"

static opac_objective with_bound(opac_comparison comparison, int64_t numerator, int64_t denominator)
{
    return (opac_objective){.comparison = comparison,
                            .bound = (double)numerator / (double)denominator,
                            .bound_numerator = numerator,
                            .bound_denominator = denominator};
}

static opac_verdict compare(const opac_objective *objective, check_value value)
{
    opac_error error = {0};
    opac_verdict verdict;
    assert_ok(check_bound_compare(objective, &value, &verdict, &error), &error);
    return verdict;
}

/* What fractions say of a double. */
static opac_verdict compare_exact(const opac_objective *objective, double value)
{
    opac_error error = {0};
    base_rational *exact;
    assert_ok(base_rational_new(&exact, &error), &error);
    rational_set_double(exact, value);
    opac_verdict verdict = compare(objective, (check_value){.exact = exact});
    base_rational_free(exact);
    return verdict;
}

/* Ends a few doubles around the bound. */
static double near(double bound, int steps)
{
    for (; steps > 0; steps--)
        bound = nextafter(bound, 2);
    for (; steps < 0; steps++)
        bound = nextafter(bound, -1);
    return bound;
}

static void verdicts_are_those_of_fractions(void **state)
{
    uint64_t random = random_seed(8);
    (void)state;
    if (!base_rational_available())
        skip();
    for (int i = 0; i < 3000; i++) {
        int64_t denominator = 1 + random_below(&random, i % 2 == 0 ? 8 : 1000000);
        int64_t numerator = random_below(&random, (uint32_t)denominator + 1);
        opac_comparison comparison = (opac_comparison)(1 + random_below(&random, 4));
        opac_objective objective = with_bound(comparison, numerator, denominator);
        int a = (int)random_below(&random, 7) - 3, b = (int)random_below(&random, 7) - 3;
        double lower = near(objective.bound, a < b ? a : b);
        double upper = near(objective.bound, a < b ? b : a);
        opac_verdict low = compare_exact(&objective, lower);
        opac_verdict high = compare_exact(&objective, upper);
        opac_verdict found = compare(&objective, (check_value){.lower = lower, .upper = upper});
        assert_true(low == OPAC_VERDICT_TRUE || low == OPAC_VERDICT_FALSE);
        if (low != high)
            assert_int_equal(found, OPAC_VERDICT_UNDECIDED);
        else if (found != low && (found != OPAC_VERDICT_UNDECIDED || a * b != 0))
            fail_msg("%lld/%lld, comparison %d, ends %d and %d: %d, not %d", (long long)numerator,
                     (long long)denominator, comparison, a, b, found, low);
    }
}

/* A double is a bound as well as a fraction, and then exactly that double. */
static void doubles_are_bounds(void **state)
{
    (void)state;
    opac_objective objective = {.comparison = OPAC_COMPARISON_GREATER_EQUAL, .bound = 0.1};
    assert_int_equal(compare(&objective, (check_value){.lower = 0.1, .upper = 0.2}),
                     OPAC_VERDICT_TRUE);
    objective = with_bound(OPAC_COMPARISON_GREATER_EQUAL, 1, 10); /* below the double 0.1 */
    assert_int_equal(compare(&objective, (check_value){.lower = nextafter(0.1, 0), .upper = 0.2}),
                     OPAC_VERDICT_UNDECIDED);
    objective = with_bound(OPAC_COMPARISON_LESS_EQUAL, 3, 6); /* not in lowest terms */
    assert_int_equal(compare(&objective, (check_value){.lower = 0.4, .upper = 0.5}),
                     OPAC_VERDICT_TRUE);
    objective = (opac_objective){.comparison = OPAC_COMPARISON_VALUE};
    assert_int_equal(compare(&objective, (check_value){.lower = 0, .upper = 1}), OPAC_VERDICT_NONE);
}

/* A bound between doubles is compared with all values that are not between them. */
static void bounds_lie_between_doubles(void **state)
{
    const double half = 0.5, next = nextafter(0.5, 1);
    static const opac_verdict at_low[] = {0, OPAC_VERDICT_TRUE, OPAC_VERDICT_TRUE,
                                          OPAC_VERDICT_FALSE, OPAC_VERDICT_FALSE};
    static const opac_verdict at_high[] = {0, OPAC_VERDICT_FALSE, OPAC_VERDICT_FALSE,
                                           OPAC_VERDICT_TRUE, OPAC_VERDICT_TRUE};
    (void)state;
    for (int comparison = OPAC_COMPARISON_LESS; comparison <= OPAC_COMPARISON_GREATER_EQUAL;
         comparison++) {
        const opac_objective objective = {.comparison = (opac_comparison)comparison,
                                          .bound = half,
                                          .bound_below = half,
                                          .bound_above = next};
        assert_false(check_bound_is_extreme(&objective));
        assert_int_equal(compare(&objective, (check_value){half, half, false, NULL}),
                         at_low[comparison]);
        assert_int_equal(compare(&objective, (check_value){next, next, false, NULL}),
                         at_high[comparison]);
        assert_int_equal(compare(&objective, (check_value){half, next, false, NULL}),
                         OPAC_VERDICT_UNDECIDED);
        if (!base_rational_available())
            continue;
        assert_int_equal(compare_exact(&objective, half), at_low[comparison]);
        assert_int_equal(compare_exact(&objective, next), at_high[comparison]);
    }
}

/* A fraction strictly between the doubles. */
static void fractions_between_doubles_are_undecided(void **state)
{
    opac_error error = {0};
    base_rational *exact;
    const opac_objective objective = {.comparison = OPAC_COMPARISON_GREATER,
                                      .bound = 0.25,
                                      .bound_below = 0.25,
                                      .bound_above = 0.5};
    (void)state;
    if (!base_rational_available())
        skip();
    assert_ok(base_rational_new(&exact, &error), &error);
    assert_ok(base_rational_set_ratio(exact, base_ratio_of(1, 3), &error), &error);
    assert_int_equal(compare(&objective, (check_value){.exact = exact}), OPAC_VERDICT_UNDECIDED);
    base_rational_free(exact);
}

static void the_graph_decides_0_and_1(void **state)
{
    const check_value between = {.lower = 0, .upper = 1, .between = true};
    const struct {
        opac_comparison comparison;
        int64_t bound;
        opac_verdict verdict;
    } cases[] = {
        {OPAC_COMPARISON_GREATER, 0, OPAC_VERDICT_TRUE},
        {OPAC_COMPARISON_GREATER_EQUAL, 0, OPAC_VERDICT_TRUE},
        {OPAC_COMPARISON_LESS_EQUAL, 0, OPAC_VERDICT_FALSE},
        {OPAC_COMPARISON_LESS, 0, OPAC_VERDICT_FALSE},
        {OPAC_COMPARISON_GREATER, 1, OPAC_VERDICT_FALSE},
        {OPAC_COMPARISON_GREATER_EQUAL, 1, OPAC_VERDICT_FALSE},
        {OPAC_COMPARISON_LESS_EQUAL, 1, OPAC_VERDICT_TRUE},
        {OPAC_COMPARISON_LESS, 1, OPAC_VERDICT_TRUE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opac_objective objective = with_bound(cases[i].comparison, cases[i].bound, 1);
        assert_true(check_bound_is_extreme(&objective));
        assert_int_equal(compare(&objective, between), cases[i].verdict);
    }
    opac_objective objective = with_bound(OPAC_COMPARISON_GREATER, 1, 3);
    assert_false(check_bound_is_extreme(&objective));
    assert_int_equal(compare(&objective, between), OPAC_VERDICT_UNDECIDED);
    objective.comparison = OPAC_COMPARISON_VALUE;
    objective.bound_numerator = 0;
    assert_false(check_bound_is_extreme(&objective));
}

SUITE(bound)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_fractions),
        cmocka_unit_test(doubles_are_bounds),
        cmocka_unit_test(bounds_lie_between_doubles),
        cmocka_unit_test(fractions_between_doubles_are_undecided),
        cmocka_unit_test(the_graph_decides_0_and_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
