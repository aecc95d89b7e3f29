/* SPDX-License-Identifier: MIT */
/*
 * Sample bounds: the numbers of the paper's examples, refused parameters, and
 * results that do not fit. bounds_oracle.py compares many more with the decimal
 * arithmetic of Python.
 */
#include <math.h>

#include <omegapac/bound.h>

#include "support/check.h"

static const opac_bound_params gridworld = {12, 4, 19, 0.05, 0.1, 0};
static const opac_bound_params chain = {8, 2, 8, 1.0 / 60, 0.1, 0};

static uint64_t k_of(opac_bound_params params, opac_k_rule rule)
{
    opac_count k;
    opac_error error;
    assert_ok(opac_bound_k(&params, rule, &k, &error), &error);
    return k.value;
}

static uint64_t steps_of(opac_bound_params params)
{
    opac_count k, steps;
    opac_error error;
    assert_ok(opac_bound_k(&params, OPAC_K_PAPER, &k, &error), &error);
    assert_ok(opac_bound_policy_steps(&params, &k, &steps, &error), &error);
    return steps.value;
}

static opac_bound_params with(opac_bound_params params, uint64_t horizon, uint64_t branching)
{
    params.horizon = horizon;
    params.branching = branching;
    return params;
}

static void published_examples(void **state)
{
    (void)state;
    opac_bound_params model = {6, 4, 19, 0.05, 0.1, 6}, counterexample = {5, 2, 323, 0.05, 0.1, 0};
    assert_true(k_of(gridworld, OPAC_K_PAPER) == 71394132);
    assert_true(steps_of(gridworld) == UINT64_C(13022289685559));
    assert_true(k_of(chain, OPAC_K_PAPER) == 42528678);
    assert_true(steps_of(chain) == UINT64_C(9798607444360));
    assert_true(k_of(with(gridworld, 306, 0), OPAC_K_PAPER) == UINT64_C(18518174353));
    assert_true(k_of(counterexample, OPAC_K_PAPER) == UINT64_C(2763840763));
    assert_true(k_of(with(gridworld, 19, 3), OPAC_K_L1) == 575113);
    assert_true(k_of(with(gridworld, 19, 6), OPAC_K_L1) == 743727);
    assert_true(k_of(with(gridworld, 19, 0), OPAC_K_L1) == 1046255);
    assert_true(k_of(model, OPAC_K_L1) == 693682);
    assert_true(k_of(with(gridworld, 19, 1), OPAC_K_SOUND) == 71394132);
    assert_true(k_of(gridworld, OPAC_K_SOUND) > 71394132);
}

static void one_successor_needs_one_sample(void **state)
{
    (void)state;
    opac_bound_params one = with(gridworld, 19, 1), single = {1, 3, 5, 0.1, 0.1, 0};
    opac_count k;
    double accuracy;
    assert_true(k_of(one, OPAC_K_L1) == 1);
    assert_true(k_of(single, OPAC_K_L1) == 1);
    assert_status(opac_bound_k_for_accuracy(&one, 1e-9, &k, NULL), OPAC_OK);
    assert_true(k.value == 1);
    assert_status(opac_bound_accuracy(&one, 1, &accuracy, NULL), OPAC_OK);
    assert_true(accuracy == 0);
}

/* The accuracy of k is at most the one that asked for k, and k - 1 does not reach it. */
static void accuracy_inverts_k(void **state)
{
    (void)state;
    for (double accuracy = 1e-6; accuracy < 1; accuracy *= 1.37) {
        opac_bound_params params = with(gridworld, 19, 6);
        opac_count k;
        double reached;
        assert_status(opac_bound_k_for_accuracy(&params, accuracy, &k, NULL), OPAC_OK);
        assert_status(opac_bound_accuracy(&params, k.value, &reached, NULL), OPAC_OK);
        assert_true(reached <= nextafter(accuracy, 2));
        assert_status(opac_bound_accuracy(&params, k.value - 1, &reached, NULL), OPAC_OK);
        assert_true(reached > accuracy);
    }
    opac_bound_params params = with(gridworld, 19, 6);
    opac_count k;
    assert_status(opac_bound_k_for_accuracy(&params, 0.1, &k, NULL), OPAC_OK);
    assert_true(k.value == 185932); /* a quarter of l1's, rounded up */
    assert_status(opac_bound_k_for_accuracy(&params, 1e300, &k, NULL), OPAC_OK);
    assert_true(k.value == 1);
}

static void recurrence_from_least_probability(void **state)
{
    (void)state;
    opac_count ours, published;
    assert_status(opac_bound_recurrence(12, 0.2, 0.05, &ours, NULL), OPAC_OK);
    assert_status(opac_bound_recurrence_published(12, 0.2, 0.05, &published, NULL), OPAC_OK);
    assert_true(fabs(ours.approximate / 6.632e9 - 1) < 1e-4);
    assert_true(fabs(published.approximate / 2.1614e10 - 1) < 1e-4);
    assert_true(ours.value % 22 == 0);

    for (uint64_t n = 1; n < 10; n++) { /* deterministic: one path */
        assert_status(opac_bound_recurrence(n, 1, 0.05, &ours, NULL), OPAC_OK);
        assert_true(ours.value == 2 * n - 1);
        assert_status(opac_bound_recurrence_published(n, 1, 0.05, &published, NULL), OPAC_OK);
        assert_true(published.value == 2 * n);
    }
    assert_status(opac_bound_recurrence(1, 0.3, 0.05, &ours, NULL), OPAC_OK);
    assert_true(ours.value == 1);
    /* Two states, p = 1/2: 2 · ceil(ln(80) / ln 2) = 14. */
    assert_status(opac_bound_recurrence(2, 0.5, 0.05, &ours, NULL), OPAC_OK);
    assert_true(ours.value == 14);
    assert_status(opac_bound_recurrence(2, 1 - 0x1p-53, 0.05, &ours, NULL), OPAC_OK);
    assert_true(ours.value == 2);
}

static void estimator_size(void **state)
{
    (void)state;
    opac_count count;
    assert_status(opac_bound_estimator(0.05, 0.1, &count, NULL), OPAC_OK);
    assert_true(count.value == 600); /* ln(20) / 0.005 = 599.15 */
    assert_status(opac_bound_estimator(0.999, 0.999, &count, NULL), OPAC_OK);
    assert_true(count.value == 1);
}

static void assert_saturated(opac_count count, double log10)
{
    assert_true(count.value == UINT64_MAX);
    assert_true(fabs(count.log10 - log10) < 1e-6 * fabs(log10));
    assert_true(count.approximate == INFINITY ||
                fabs(log10 - log(count.approximate) / log(10)) < 1e-6);
}

static void huge_numbers_saturate(void **state)
{
    (void)state;
    opac_bound_params huge = {UINT64_MAX, UINT64_MAX, UINT64_MAX, 5e-324, 5e-324, 0};
    opac_count k, count;
    for (opac_k_rule rule = OPAC_K_PAPER; rule <= OPAC_K_L1; rule++) {
        assert_status(opac_bound_k(&huge, rule, &k, NULL), OPAC_OK);
        assert_true(k.value == UINT64_MAX);
        assert_true(k.approximate == INFINITY);
        assert_true(isfinite(k.log10));
        assert_status(opac_bound_policy_steps(&huge, &k, &count, NULL), OPAC_OK);
        assert_true(count.value == UINT64_MAX);
        assert_true(isfinite(count.log10));
        assert_true(count.log10 > k.log10);
        assert_status(opac_bound_samples(&huge, &k, &count, NULL), OPAC_OK);
        assert_saturated(count, k.log10 + 2 * 64 * log10(2));
    }
    assert_status(opac_bound_recurrence(1000, 0.1, 0.05, &count, NULL), OPAC_OK);
    assert_saturated(count, 999 + log10(2 * 999 * log(2000 / 0.05)));
    assert_status(opac_bound_recurrence(UINT64_MAX, 1e-300, 0.05, &count, NULL), OPAC_OK);
    assert_true(count.value == UINT64_MAX);
    assert_true(isfinite(count.log10));
    assert_status(opac_bound_recurrence(UINT64_MAX, 1, 0.05, &count, NULL), OPAC_OK);
    assert_saturated(count, 65 * log10(2));
    assert_status(opac_bound_estimator(1e-200, 0.1, &count, NULL), OPAC_OK);
    assert_saturated(count, 400 + log10(log(20) / 2));
    count = opac_count_of(UINT64_MAX);
    assert_saturated(count, 64 * log10(2));
    double accuracy;
    assert_status(opac_bound_accuracy(&huge, 1, &accuracy, NULL), OPAC_OK);
    assert_true(isfinite(accuracy));
}

static void assert_refused(opac_status status, const opac_error *error, const char *message)
{
    assert_status(status, OPAC_ERROR_ARGUMENT);
    assert_string_equal(error->message, message);
}

static void bad_parameters_are_refused(void **state)
{
    (void)state;
    static const struct {
        opac_bound_params params;
        const char *message;
    } bad[] = {
        {{0, 1, 1, 0.5, 0.5, 0}, "states must be at least 1, not 0"},
        {{1, 0, 1, 0.5, 0.5, 0}, "actions must be at least 1, not 0"},
        {{1, 1, 0, 0.5, 0.5, 0}, "horizon must be at least 1, not 0"},
        {{1, 1, 1, 1.5, 0.5, 0}, "epsilon must lie strictly between 0 and 1, not 1.5"},
        {{1, 1, 1, 1 + 0x1p-52, 0.5, 0},
         "epsilon must lie strictly between 0 and 1, not 1.0000000000000002"},
        {{1, 1, 1, 0, 0.5, 0}, "epsilon must lie strictly between 0 and 1, not 0"},
        {{1, 1, 1, NAN, 0.5, 0}, "epsilon must lie strictly between 0 and 1, not nan"},
        {{1, 1, 1, 0.5, 1, 0}, "delta must lie strictly between 0 and 1, not 1"},
        {{1, 1, 1, 0.5, -INFINITY, 0}, "delta must lie strictly between 0 and 1, not -inf"},
        {{3, 1, 1, 0.5, 0.5, 4}, "branching must be at most the number of states, 3, not 4"},
    };
    opac_error error;
    opac_count k = opac_count_of(1), count;
    double c;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const opac_bound_params *p = &bad[i].params;
        assert_refused(opac_bound_check(p, &error), &error, bad[i].message);
        assert_refused(opac_bound_k(p, OPAC_K_L1, &count, &error), &error, bad[i].message);
        assert_refused(opac_bound_k_for_accuracy(p, 1, &count, &error), &error, bad[i].message);
        assert_refused(opac_bound_accuracy(p, 1, &c, &error), &error, bad[i].message);
        assert_refused(opac_bound_samples(p, &k, &count, &error), &error, bad[i].message);
        assert_refused(opac_bound_policy_steps(p, &k, &count, &error), &error, bad[i].message);
    }
}

static void other_bad_arguments_are_refused(void **state)
{
    (void)state;
    opac_error error;
    opac_count none = opac_count_of(0), count;
    double c;
    assert_refused(opac_bound_k(&chain, (opac_k_rule)7, &count, &error), &error,
                   "unknown rule for k: number 7");
    assert_refused(opac_bound_k_for_accuracy(&chain, 0, &count, &error), &error,
                   "accuracy must be positive and finite, not 0");
    assert_refused(opac_bound_k_for_accuracy(&chain, INFINITY, &count, &error), &error,
                   "accuracy must be positive and finite, not inf");
    assert_refused(opac_bound_accuracy(&chain, 0, &c, &error), &error,
                   "k must be at least 1, not 0");
    assert_refused(opac_bound_samples(&chain, &none, &count, &error), &error,
                   "k must be at least 1, not 0");
    assert_refused(opac_bound_recurrence(0, 0.5, 0.5, &count, &error), &error,
                   "states must be at least 1, not 0");
    assert_refused(opac_bound_recurrence(2, 1.01, 0.5, &count, &error), &error,
                   "the least probability must be above 0 and at most 1, not 1.01");
    assert_refused(opac_bound_recurrence_published(2, NAN, 0.5, &count, &error), &error,
                   "the least probability must be above 0 and at most 1, not nan");
    assert_refused(opac_bound_recurrence_published(2, 0.5, 0, &count, &error), &error,
                   "epsilon must lie strictly between 0 and 1, not 0");
    assert_refused(opac_bound_estimator(2, 0.5, &count, &error), &error,
                   "epsilon must lie strictly between 0 and 1, not 2");
    assert_refused(opac_bound_estimator(0.5, 0, &count, &error), &error,
                   "delta must lie strictly between 0 and 1, not 0");
}

static void rules_have_names(void **state)
{
    (void)state;
    static const char *const names[] = {"paper", "sound", "l1"};
    opac_error error;
    opac_k_rule found;
    for (int i = 0; i < OPAC_K_RULES; i++) {
        assert_string_equal(opac_k_rule_name((opac_k_rule)i), names[i]);
        assert_ok(opac_k_rule_parse(names[i], &found, &error), &error);
        assert_int_equal(found, i);
    }
    assert_string_equal(opac_k_rule_name((opac_k_rule)OPAC_K_RULES), "unknown");
    assert_refused(opac_k_rule_parse("L1", &found, &error), &error,
                   "the rule for k must be paper, sound or l1, not 'L1'");
    assert_refused(opac_k_rule_parse("\x1b[31m\n", &found, &error), &error,
                   "the rule for k must be paper, sound or l1, not '\\x1B[31m\\x0A'");
}

SUITE(bounds)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_examples),
        cmocka_unit_test(one_successor_needs_one_sample),
        cmocka_unit_test(accuracy_inverts_k),
        cmocka_unit_test(recurrence_from_least_probability),
        cmocka_unit_test(estimator_size),
        cmocka_unit_test(huge_numbers_saturate),
        cmocka_unit_test(bad_parameters_are_refused),
        cmocka_unit_test(other_bad_arguments_are_refused),
        cmocka_unit_test(rules_have_names),
    };
    return cmocka_run_group_tests_name("stat.bounds", tests, NULL, NULL);
}
