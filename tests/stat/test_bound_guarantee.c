/* SPDX-License-Identifier: MIT */
/* The guarantee for a number of samples, including numbers beyond 64 bits. */
#include <math.h>

#include <omegapac/bound.h>

#include "stat/count.h"
#include "support/check.h"

static const opac_bound_params gridworld = {
    .states = 12, .actions = 4, .horizon = 19, .epsilon = 0.05, .delta = 0.1};

static opac_bound_guarantee offer_for(const opac_bound_params *params, opac_count k)
{
    opac_bound_guarantee offer;
    opac_error error = {0};
    assert_ok(opac_bound_guarantee_for(params, &k, &offer, &error), &error);
    return offer;
}

/* Rule l1 is the least k whose c is at most epsilon. */
static void l1_guarantees_four_epsilon(void **state)
{
    (void)state;
    opac_count k;
    assert_status(opac_bound_k(&gridworld, OPAC_K_L1, &k, NULL), OPAC_OK);
    opac_bound_guarantee enough = offer_for(&gridworld, k);
    opac_bound_guarantee one_less = offer_for(&gridworld, opac_count_of(k.value - 1));
    assert_true(enough.accuracy <= 0.05);
    assert_true(enough.error <= 0.2);
    assert_true(one_less.accuracy > 0.05);
    assert_true(one_less.error > 0.2);
    assert_true(enough.samples.value == k.value * 48);
}

/* Around 2^64 the exact computation and the one by logarithms must meet. */
static void counts_are_continuous_at_64_bits(void **state)
{
    (void)state;
    double logarithm = 64 * log10(2);
    opac_bound_guarantee last = offer_for(&gridworld, opac_count_of(UINT64_MAX - 1));
    opac_bound_guarantee first =
        offer_for(&gridworld, (opac_count){UINT64_MAX, exp2(64), logarithm});
    assert_true(fabs(last.accuracy / first.accuracy - 1) < 2e-12);
    assert_true(fabs(last.samples.log10 - first.samples.log10) < 1e-12);
    assert_true(fabs(last.policy_steps.log10 - first.policy_steps.log10) < 1e-12);
    opac_bound_guarantee hopeless =
        offer_for(&gridworld, (opac_count){UINT64_MAX, INFINITY, 1003.21});
    assert_true(hopeless.accuracy > 0);
    assert_true(hopeless.accuracy < 1e-300);
    assert_true(hopeless.samples.log10 > 1004);
}

/* k = 10^40 … 10^600: the accuracy of one sample, divided by an exact root, is not more. */
static void accuracy_is_rounded_up(void **state)
{
    (void)state;
    double one_sample, root = 1e20;
    assert_status(opac_bound_accuracy(&gridworld, 1, &one_sample, NULL), OPAC_OK);
    for (int exponent = 40; exponent <= 600; exponent += 2, root *= 10) {
        opac_count k = {UINT64_MAX, INFINITY, exponent};
        double accuracy = offer_for(&gridworld, k).accuracy, exact = one_sample / root;
        assert_true(accuracy > exact);
        assert_true(accuracy < exact * (1 + 2e-12));
    }
    opac_bound_params certain = gridworld;
    certain.branching = 1;
    assert_true(offer_for(&certain, (opac_count){UINT64_MAX, 1e30, 30}).accuracy == 0);
}

static void wrong_parameters_are_refused(void **state)
{
    (void)state;
    opac_bound_guarantee offer;
    opac_error error = {0};
    opac_count none = opac_count_of(0), one = opac_count_of(1);
    opac_bound_params wrong = gridworld;
    wrong.epsilon = 1;
    assert_status(opac_bound_guarantee_for(&wrong, &one, &offer, &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_bound_guarantee_for(&gridworld, &none, &offer, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "k must be at least 1, not 0");
}

/* k N K / (h - c), rounded up. */
static void episodes_with_slack(void **state)
{
    (void)state;
    opac_count episodes;
    opac_error error = {0};
    opac_bound_guarantee offer = offer_for(&gridworld, opac_count_of(1000000));
    double exact = 48e6 / (0.5 - offer.accuracy);
    assert_ok(opac_bound_episodes(&offer, 0.5, &episodes, &error), &error);
    assert_true((double)episodes.value >= exact);
    assert_true((double)episodes.value < exact + 1.0001);
    assert_status(opac_bound_episodes(&offer, offer.accuracy, &episodes, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_status(opac_bound_episodes(&offer, 1, &episodes, &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_bound_episodes(&offer, NAN, &episodes, &error), OPAC_ERROR_ARGUMENT);
    offer = offer_for(&gridworld, (opac_count){UINT64_MAX, 1e30, 30});
    assert_ok(opac_bound_episodes(&offer, 0.5, &episodes, &error), &error);
    assert_true(episodes.value == UINT64_MAX);
    assert_true(fabs(episodes.log10 - log10(96) - 30) < 1e-6);
}

/* The least m with m (h - c) >= k N K, also where h - c is no double. */
static void episodes_are_never_too_few(void **state)
{
    (void)state;
    opac_count episodes;
    /* h - c is 1/2 - 2^-60 and rounds to 1/2: 2^63 + 16 episodes and 2^-55, not 2^63. */
    opac_bound_guarantee offer = {.accuracy = 0x1p-60, .samples = opac_count_of(UINT64_C(1) << 62)};
    assert_status(opac_bound_episodes(&offer, 0.5, &episodes, NULL), OPAC_OK);
    assert_true(episodes.value == (UINT64_C(1) << 63) + 17);
    /* Exact quotients stay. */
    offer = (opac_bound_guarantee){.accuracy = 0, .samples = opac_count_of(UINT64_C(1) << 62)};
    assert_status(opac_bound_episodes(&offer, 0.5, &episodes, NULL), OPAC_OK);
    assert_true(episodes.value == UINT64_C(1) << 63);
    offer = (opac_bound_guarantee){.accuracy = 0.125, .samples = opac_count_of(3000009)};
    assert_status(opac_bound_episodes(&offer, 0.5, &episodes, NULL), OPAC_OK);
    assert_true(episodes.value == 8000024);
    /* By logarithms: at least the sum of the two. */
    for (double slack = 0.001; slack < 1; slack += 0.001) {
        offer = (opac_bound_guarantee){.samples = {UINT64_MAX, INFINITY, 1000 + slack}};
        long double sum = (long double)offer.samples.log10 - log10l(slack);
        assert_status(opac_bound_episodes(&offer, slack, &episodes, NULL), OPAC_OK);
        assert_true(episodes.log10 >= sum);
        assert_true(episodes.log10 < sum + 1e-11L);
    }
}

static void products_saturate(void **state)
{
    (void)state;
    static const struct {
        uint64_t count, factor, value;
    } cases[] = {
        {7, 6, 42},
        {UINT64_MAX / 3, 3, UINT64_MAX}, /* exactly 2^64 - 1, which has no other meaning */
        {UINT64_MAX / 5, 5, UINT64_MAX},
        {UINT64_MAX / 2, 2, UINT64_MAX - 1},
        {UINT64_C(1) << 32, UINT64_C(1) << 32, UINT64_MAX},
        {UINT64_MAX, 1, UINT64_MAX},
        {UINT64_MAX - 1, UINT64_MAX, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        opac_count count = opac_count_of(cases[i].count);
        opac_count product = opac_count_times(&count, cases[i].factor);
        double logarithm = count.log10 + log10((double)cases[i].factor);
        assert_true(product.value == cases[i].value);
        assert_true(fabs(product.log10 - logarithm) < 1e-13);
        assert_true(fabs(product.approximate / pow(10, logarithm) - 1) < 1e-12);
    }
    opac_count huge = {UINT64_MAX, 1e30, 30};
    assert_true(opac_count_times(&huge, 1).log10 == 30);
    assert_true(opac_count_times(&huge, 10).log10 == 31);
    assert_true(opac_count_times(&huge, 0).value == 0);
    opac_count largest = stat_count_ceiling(base_dd_of_u64(UINT64_MAX));
    assert_true(largest.value == UINT64_MAX);
    assert_true(fabs(largest.log10 - 64 * log10(2)) < 1e-14);
}

static void counts_as_text(void **state)
{
    (void)state;
    static const struct {
        opac_count count;
        const char *text;
    } cases[] = {
        {{0, 0, 0}, "0"},
        {{71394132, 71394132.0, 7.85}, "71394132"},
        {{UINT64_MAX - 1, 0x1p64, 19.3}, "18446744073709551614"},
        {{UINT64_MAX, 0x1p64, 19.2659197224948}, "1.85e19"},
        {{UINT64_MAX, INFINITY, 1003.21}, "1.63e1003"},
        {{UINT64_MAX, INFINITY, 999.9999}, "1.00e1000"}, /* 9.998 is rounded up to ten */
        {{UINT64_MAX, INFINITY, 400.3010299956639812}, "2.00e400"},
        {{UINT64_MAX, INFINITY, 400.30103001}, "2.01e400"},
        {{UINT64_MAX, INFINITY, 20}, "1.00e20"},
        {{UINT64_MAX, INFINITY, 1e9}, "1.00e1000000000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[OPAC_COUNT_SIZE];
        assert_string_equal(opac_count_text(&cases[i].count, text), cases[i].text);
    }
}

SUITE(bound_guarantee)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l1_guarantees_four_epsilon),
        cmocka_unit_test(counts_are_continuous_at_64_bits),
        cmocka_unit_test(accuracy_is_rounded_up),
        cmocka_unit_test(wrong_parameters_are_refused),
        cmocka_unit_test(episodes_with_slack),
        cmocka_unit_test(episodes_are_never_too_few),
        cmocka_unit_test(products_saturate),
        cmocka_unit_test(counts_as_text),
    };
    return cmocka_run_group_tests_name("stat.bound_guarantee", tests, NULL, NULL);
}
