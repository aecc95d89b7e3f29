/* SPDX-License-Identifier: MIT */
/*
 * opac_learn_find_costs against the formulas of docs/certify.md, evaluated independently, and against the
 * intervals themselves.
 */
#include <math.h>

#include <omegapac/environment.h>
#include <omegapac/learning.h>

#include "stat/sequence.h"
#include "support/check.h"

static opac_learn_options options(double pmin)
{
    opac_learn_options o = opac_learn_defaults();
    o.pmin = pmin;
    o.epsilon = 0.05;
    o.delta = 0.1;
    return o;
}

static opac_learn_costs costs_of(const opac_learn_options *o)
{
    opac_learn_costs costs;
    opac_error error = {0};
    assert_ok(opac_learn_find_costs(o, &costs, &error), &error);
    return costs;
}

/* Of delta = 0.1, for supports and unseen mass; of that, for supports. As much for intervals. */
static const double part = 0.1 * 7 / 16, support = 0.1 * 7 / 16 * 15 / 16;

/* The least n with b (1-pmin)^n <= share, by multiplication. */
static uint64_t count_visits(double pmin, double b, double share)
{
    uint64_t n = 0;
    for (long double left = b; left > (long double)share; n++)
        left *= 1 - (long double)pmin;
    return n;
}

static void supports_follow_their_shares(void **state)
{
    (void)state;
    static const double probabilities[] = {0.2, 0.01, 0.33, 0.5, 0.05};
    for (size_t i = 0; i < 5; i++) {
        double pmin = probabilities[i], b = floor(1 / pmin);
        opac_learn_options o = options(pmin);
        opac_learn_costs costs = costs_of(&o);
        assert_int_equal(costs.most_successors, (uint64_t)b);
        assert_int_equal(costs.support_first, count_visits(pmin, b, support / 2));
        assert_int_equal(costs.support_hundredth, count_visits(pmin, b, support / 10100));
        o.states = 50; /* 201 rows */
        assert_int_equal(costs_of(&o).support_first, costs.support_first);
        o.actions = 4;
        costs = costs_of(&o);
        assert_int_equal(costs.support_first,
                         count_visits(pmin, b, support * (0.5 + 1.0 / 201) / 2));
        assert_int_equal(costs.support_hundredth,
                         count_visits(pmin, b, support * (1.0 / 10100 + 1.0 / 201) / 2));
        o.branching = 2;
        costs = costs_of(&o);
        assert_int_equal(costs.most_successors, 2);
        assert_int_equal(costs.support_first,
                         count_visits(pmin, 2, support * (0.5 + 1.0 / 201) / 2));
    }
}

/* With fewer than a hundred rows, the last one. */
static void last_row_stands_for_the_hundredth(void **state)
{
    (void)state;
    opac_learn_options o = options(0.2);
    o.states = 6;
    o.actions = 4; /* 25 rows */
    opac_learn_costs costs = costs_of(&o);
    assert_int_equal(costs.support_hundredth,
                     count_visits(0.2, 5, support * (1.0 / 650 + 1.0 / 25) / 2));
    opac_learn_options tiny = options(0.01);
    tiny.states = tiny.actions = 1; /* two rows: the pair, and the reset */
    costs = costs_of(&tiny);
    assert_int_equal(costs.support_first, count_visits(0.01, 100, support / 2));
    assert_int_equal(costs.support_hundredth,
                     count_visits(0.01, 100, support * (1.0 / 6 + 0.5) / 2));
    o.states = UINT64_MAX; /* as if not declared */
    costs = costs_of(&o);
    assert_int_equal(costs.support_hundredth, count_visits(0.2, 5, support / 10100));
}

static double width(uint64_t trials, double alpha)
{
    stat_interval found = stat_sequence_jeffreys(trials / 2, trials, log(alpha));
    return found.upper - found.lower;
}

static void intervals_are_narrow_then(void **state)
{
    (void)state;
    for (double epsilon = 0.9; epsilon > 1e-6; epsilon /= 3) {
        opac_learn_options o = options(1e-3);
        o.epsilon = epsilon;
        uint64_t n = costs_of(&o).interval;
        assert_true(n >= 2);
        assert_true(n % 2 == 0);
        assert_true(width(n, support / 2) <= epsilon);
        assert_true(n == 2 || width(n - 2, support / 2) > epsilon);
    }
    opac_learn_options o = options(1e-3);
    o.epsilon = 1e-9;
    assert_true(costs_of(&o).interval == UINT64_MAX);
}

/* Nothing is left to learn of a pair with one successor, nor of two that have 1/2 each. */
static void some_probabilities_are_free(void **state)
{
    (void)state;
    static const double free_ones[] = {1, 0.7, 0.5, 0.48};
    for (size_t i = 0; i < 4; i++) {
        opac_learn_options o = options(free_ones[i]);
        opac_learn_costs costs = costs_of(&o);
        assert_int_equal(costs.interval, 0);
        assert_int_equal(costs.most_successors, free_ones[i] > 0.5 ? 1 : 2);
        if (free_ones[i] > 0.5) {
            assert_true(costs.support_first == 1);
            assert_true(costs.support_hundredth == 1);
        }
    }
    opac_learn_options o = options(0.2);
    o.branching = 1;
    assert_int_equal(costs_of(&o).interval, 0);
    o = options(0.47);
    assert_true(costs_of(&o).interval > 0);
}

/* ---- with a graph ---- */

static opac_status stay(void *context, uint64_t seed, opac_observation *observation,
                        opac_error *error)
{
    (void)context, (void)seed, (void)error;
    *observation = (opac_observation){.key = "s", .length = 1};
    return OPAC_OK;
}

static opac_status step(void *context, uint32_t action, opac_observation *observation,
                        opac_error *error)
{
    (void)action;
    return stay(context, 0, observation, error);
}

static void graph_costs_no_support(void **state)
{
    (void)state;
    opac_environment *graph;
    opac_error error = {0};
    const opac_environment_callbacks callbacks = {.reset = stay, .step = step};
    assert_ok(opac_environment_new(&callbacks, NULL, &graph, &error), &error);
    opac_learn_options o = options(0);
    o.graph = graph;
    opac_learn_costs costs = costs_of(&o);
    assert_true(costs.support_first == 0);
    assert_true(costs.support_hundredth == 0);
    assert_int_equal(costs.most_successors, 0);
    assert_true(width(costs.interval, 2 * part / 2) <= 0.05); /* all but the part for trials */
    assert_true(width(costs.interval - 2, 2 * part / 2) > 0.05);
    o.branching = 3;
    assert_int_equal(costs_of(&o).most_successors, 3);
    o.pmin = 0.6;
    costs = costs_of(&o);
    assert_true(costs.most_successors == 1);
    assert_true(costs.support_first == 0);
    assert_true(costs.interval == 0);
    opac_environment_free(graph);
}

/* Of a random start: (1 - epsilon)^j is at most a quarter of 7/16 delta, and was not before. */
static void starts(void **state)
{
    (void)state;
    opac_learn_options o = options(0.5);
    uint64_t resets = costs_of(&o).start;
    assert_true(pow(0.95, (double)resets) <= part / 4);
    assert_true(pow(0.95, (double)resets - 1) > part / 4);
    o.pmin_start = 0.1;
    assert_int_equal(costs_of(&o).start, 0);
}

static void assert_refused(const opac_learn_options *o, const char *message)
{
    opac_learn_costs costs = {1, 1, 1, 1, 1};
    opac_error error = {0};
    assert_status(opac_learn_find_costs(o, &costs, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, message);
    assert_true(costs.interval == 0);
    assert_true(costs.support_first == 0);
    assert_status(opac_learn_find_costs(o, &costs, NULL), OPAC_ERROR_ARGUMENT);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    static const double outside[] = {-0.1, 1.0000001, NAN, INFINITY};
    static const double unfit[] = {0, 1, -1, NAN};
    for (size_t i = 0; i < 4; i++) {
        opac_learn_options o = options(outside[i]);
        assert_refused(&o, "pmin must lie in (0, 1]");
        o = options(0.1);
        o.epsilon = unfit[i];
        assert_refused(&o, "epsilon must lie in (0, 1)");
        o = options(0.1);
        o.delta = unfit[i];
        assert_refused(&o, "delta must lie in (0, 1)");
    }
    opac_learn_options o = options(0);
    assert_refused(&o, "costs need pmin or a graph, and neither is given");
}

SUITE(costs)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(supports_follow_their_shares),
        cmocka_unit_test(last_row_stands_for_the_hundredth),
        cmocka_unit_test(intervals_are_narrow_then),
        cmocka_unit_test(some_probabilities_are_free),
        cmocka_unit_test(graph_costs_no_support),
        cmocka_unit_test(starts),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
