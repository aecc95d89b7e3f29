/* SPDX-License-Identifier: MIT */
/* Alias tables: the shares of the slots sum to the weights, for all kinds of weights. */
#include <math.h>

#include "stat/alias.h"
#include "support/check.h"
#include "support/fit.h"
#include "support/random.h"

enum {
    LARGEST = 300
};

static stat_alias_slot slots[LARGEST];

/* The probability of each outcome, read off the slots: the oracle that needs no sampling. */
static void probabilities_of(uint32_t count, double *probability)
{
    for (uint32_t i = 0; i < count; i++)
        probability[i] = 0;
    for (uint32_t i = 0; i < count; i++) {
        double own = (double)slots[i].threshold * 0x1p-64;
        assert_in_range(slots[i].alias, 0, count - 1);
        probability[i] += own / count;
        probability[slots[i].alias] += (1 - own) / count;
    }
}

static void assert_table_of(const double *weights, uint32_t count)
{
    opac_error error;
    double probability[LARGEST], sum = 0;
    assert_ok(stat_alias_build(weights, count, slots, &error), &error);
    probabilities_of(count, probability);
    for (uint32_t i = 0; i < count; i++)
        sum += weights[i];
    for (uint32_t i = 0; i < count; i++) {
        assert_true(fabs(probability[i] - weights[i] / sum) < count * 0x1p-53);
        assert_true(weights[i] > 0 || probability[i] == 0);
        assert_true(weights[i] > 0 || slots[i].threshold == 0);
    }
}

/* Of every size: equal weights, random ones, with zeros, and over 600 orders of magnitude. */
static void tables_have_the_given_probabilities(void **state)
{
    (void)state;
    double weights[LARGEST];
    stat_rng rng;
    stat_rng_init(&rng, random_seed(11), 0);
    for (uint32_t count = 1; count <= LARGEST; count++)
        for (int kind = 0; kind < 4; kind++) {
            for (uint32_t i = 0; i < count; i++) {
                double u = stat_rng_open(&rng);
                double shapes[] = {1, u, u < 0.5 ? 0 : u, pow(10, 600 * u - 300)};
                weights[i] = shapes[kind];
            }
            weights[stat_rng_below(&rng, count)] = 1;
            assert_table_of(weights, count);
        }
}

static void extreme_weights_are_handled(void **state)
{
    (void)state;
    assert_table_of((double[]){0, 0, 3}, 3);
    assert_table_of((double[]){5e-324, 0, 5e-324}, 3);
    assert_table_of((double[]){0x1p1022, 0x1p1022, 0}, 3);
    assert_table_of((double[]){1e-320, 1e300}, 2);
    assert_table_of((double[]){0.1, 0.2, 0.3, 0.4}, 4);
}

/* What the header says of light outcomes: absolutely exact, relatively not. */
static void small_weights_are_exact_to_a_unit(void **state)
{
    (void)state;
    double relative = 0;
    for (double weight = 1e-21; weight < 0.5; weight *= 3) {
        assert_status(stat_alias_build((double[]){1, weight}, 2, slots, NULL), OPAC_OK);
        double exact = 2 * weight / (1 + weight), own = (double)slots[1].threshold * 0x1p-64;
        assert_true(fabs(own - exact) <= 0x1p-64 + exact * 0x1p-51);
        assert_true(exact >= 0x1p-64 || slots[1].threshold == 0);
        relative = weight > 1e-14 ? fmax(relative, fabs(own / exact - 1)) : 0;
    }
    assert_true(relative > 1e-8);
    assert_true(relative < 1e-5);
}

static void bad_weights_are_refused(void **state)
{
    (void)state;
    static const struct {
        double weights[3];
        const char *message;
    } bad[] = {
        {{1, -0.5, 1}, "weight 1 is -0.5; weights must be finite and not negative"},
        {{1, 1, -1.0 / 3},
         "weight 2 is -0.3333333333333333; weights must be finite and not negative"},
        {{1, 1, NAN}, "weight 2 is nan; weights must be finite and not negative"},
        {{INFINITY, 1, 1}, "weight 0 is inf; weights must be finite and not negative"},
        {{0, 0, 0}, "at least one weight must be positive"},
        {{1e308, 1e308, 1e308}, "the sum of the weights exceeds 8.98846567431158e307"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        opac_error error = {0};
        assert_status(stat_alias_build(bad[i].weights, 3, slots, &error), OPAC_ERROR_ARGUMENT);
        assert_string_equal(error.message, bad[i].message);
    }
    assert_status(stat_alias_build(NULL, 0, slots, NULL), OPAC_ERROR_ARGUMENT);
    assert_status(stat_alias_build(NULL, UINT32_MAX, slots, NULL), OPAC_ERROR_LIMIT);
}

static uint64_t draw(stat_rng *rng, const void *count)
{
    return stat_alias_draw(slots, *(const uint32_t *)count, rng);
}

/* False alarm 1e-6; a table for slightly other weights is caught. */
static void samples_follow_the_table(void **state)
{
    (void)state;
    double probability[] = {0.4, 0, 0.3, 0.2, 0.05, 0.05},
           other[] = {0.405, 0, 0.295, 0.2, 0.05, 0.05};
    uint32_t count = 6;
    fit_distribution expected = {0, count, probability};
    assert_status(stat_alias_build(probability, count, slots, NULL), OPAC_OK);
    assert_true(fit_sample(&expected, draw, &count, 1000000, 5) > FIT_FALSE_ALARM);
    assert_status(stat_alias_build(other, count, slots, NULL), OPAC_OK);
    assert_true(fit_sample(&expected, draw, &count, 1000000, 5) < FIT_FALSE_ALARM);
}

SUITE(alias)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_the_given_probabilities),
        cmocka_unit_test(extreme_weights_are_handled),
        cmocka_unit_test(small_weights_are_exact_to_a_unit),
        cmocka_unit_test(bad_weights_are_refused),
        cmocka_unit_test(samples_follow_the_table),
    };
    return cmocka_run_group_tests_name("stat.alias", tests, NULL, NULL);
}
