/* SPDX-License-Identifier: MIT */
/* The cost of a bracket from T: against the bounds that the learner computes, and where numbers do not fit. */
#include <math.h>

#include <omegapac/bound.h>

#include "stat/success_bound.h"
#include "stat/unseen.h"
#include "support/check.h"

static const opac_bound_params gridworld = {12, 4, 306, 0.05, 0.1, 3};

static opac_bound_bracket bracket_of(opac_bound_params params, double target)
{
    opac_bound_bracket offer;
    opac_error error;
    assert_ok(opac_bound_bracket_for(&params, target, &offer, &error), &error);
    return offer;
}

/* L after m episodes that all win, for the first candidate. */
static double lower_after(const opac_bound_params *params, uint64_t m)
{
    return stat_success_lower(m, m, log(params->delta * 7 / 16 / 2)) - params->epsilon;
}

static void the_gridworld(void **state)
{
    (void)state;
    opac_bound_bracket offer = bracket_of(gridworld, 0.2);
    assert_true(offer.target == 0.2);
    assert_int_equal(offer.episodes.value, 28);
    assert_int_equal(offer.least_steps.value, 28 * 306);
    assert_int_equal(offer.samples.value, offer.visits.value * 48);
    assert_int_equal(offer.most_steps.value, offer.samples.value * 306);
}

/* One episode fewer is not enough. */
static void episodes_are_the_least(void **state)
{
    (void)state;
    for (double epsilon = 0.2; epsilon > 1e-6; epsilon /= 3)
        for (double delta = 0.9; delta > 1e-12; delta /= 50)
            for (double factor = 2.1; factor < 5; factor += 0.9) {
                opac_bound_params params = {12, 4, 306, epsilon, delta, 0};
                double target = fmin(factor * epsilon, 0.99);
                uint64_t m = bracket_of(params, target).episodes.value;
                assert_true(lower_after(&params, m) >= 1 - target);
                if (m > 1)
                    assert_true(lower_after(&params, m - 1) < 1 - target);
            }
}

/* By the bound on the unseen mass that the learner computes; a millionth is for its rounding. */
static void visits_are_the_least(void **state)
{
    (void)state;
    for (uint64_t pairs = 1; pairs < 1000000; pairs *= 7)
        for (uint64_t horizon = 1; horizon < 1000000; horizon *= 30) {
            opac_bound_params params = {pairs + 4, 1, horizon, 0.05, 0.1, 5};
            uint64_t n = bracket_of(params, 0.2).visits.value;
            double rows = (double)pairs + 5;
            double share = (1 / (rows * (rows + 1)) + 1 / rows) / 2;
            double log_alpha = log(0.1 / 4 * share), wanted = 0.1 / 4;
            assert_true((double)horizon * stat_unseen_mass(5, n, log_alpha) <= wanted * (1 + 1e-6));
            assert_true((double)horizon * stat_unseen_mass(5, n - 1, log_alpha) >
                        wanted * (1 - 1e-6));
        }
}

static void one_successor_needs_one_visit(void **state)
{
    (void)state;
    opac_bound_params params = gridworld;
    params.branching = 1;
    assert_int_equal(bracket_of(params, 0.2).visits.value, 1);
    assert_int_equal(bracket_of(params, 0.2).most_steps.value, 48 * 306);
}

/* Without a bound on the successors there may be N. */
static void unknown_branching_is_the_number_of_states(void **state)
{
    (void)state;
    opac_bound_params few = gridworld, all = gridworld, unknown = gridworld;
    all.branching = 12;
    unknown.branching = 0;
    assert_true(bracket_of(few, 0.2).visits.value < bracket_of(all, 0.2).visits.value);
    assert_int_equal(bracket_of(unknown, 0.2).visits.value, bracket_of(all, 0.2).visits.value);
}

static void numbers_that_do_not_fit(void **state)
{
    (void)state;
    opac_bound_params params = {
        UINT64_C(1) << 60, UINT64_C(1) << 40, UINT64_C(1) << 50, 1e-15, 1e-300, 0};
    opac_bound_bracket offer = bracket_of(params, 4e-15);
    double trials = (-log(1e-300) - log(7.0 / 16) + 2 * log(2)) / 3e-15; /* above 2^53 */
    assert_true(fabs(offer.episodes.approximate / trials - 1) < 1e-9);
    assert_true(offer.least_steps.value == UINT64_MAX);
    assert_true(fabs(offer.least_steps.log10 - log10(trials) - 50 * log10(2)) < 1e-9);
    assert_true(isfinite(offer.visits.log10));
    assert_true(isfinite(offer.most_steps.log10));
    params.epsilon = 1e-308;
    params.horizon = OPAC_MAX_BRACKET_T;
    offer = bracket_of(params, 4e-308);
    assert_true(fabs(offer.episodes.log10 - 308 - log10(trials * 3e-15 / 3)) < 1e-3);
    assert_true(offer.visits.log10 > 308 + 15);
    params.epsilon = 1e-300;
    offer = bracket_of(params, 1e-299);
    assert_true(offer.episodes.value == UINT64_MAX);
    assert_true(fabs(offer.episodes.log10 - 299 - log10(trials * 3e-15 / 0.9)) < 1e-3);
}

static void assert_refused(opac_bound_params params, double target, const char *parameter)
{
    opac_bound_bracket offer;
    opac_error error;
    assert_int_equal(opac_bound_bracket_for(&params, target, &offer, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.parameter, parameter);
}

static void what_is_refused(void **state)
{
    (void)state;
    opac_bound_params without_time = gridworld, much_time = gridworld;
    much_time.horizon = OPAC_MAX_BRACKET_T + 1;
    assert_refused(much_time, 0.2, "horizon");
    without_time.horizon = 0;
    assert_refused(gridworld, 0.1, "target");
    assert_refused(gridworld, 1, "target");
    assert_refused(gridworld, NAN, "target");
    assert_refused(without_time, 0.2, "horizon");
}

SUITE(bound_bracket)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gridworld),
        cmocka_unit_test(episodes_are_the_least),
        cmocka_unit_test(visits_are_the_least),
        cmocka_unit_test(one_successor_needs_one_visit),
        cmocka_unit_test(unknown_branching_is_the_number_of_states),
        cmocka_unit_test(numbers_that_do_not_fit),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests_name("stat.bound_bracket", tests, NULL, NULL);
}
