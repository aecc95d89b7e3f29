/* SPDX-License-Identifier: MIT */
/*
 * Compares hypergeometric random numbers with exact probabilities, for populations up to 10^15. Each
 * statistical assertion has a false-alarm rate of FIT_FALSE_ALARM.
 */
#include <math.h>

#include "stat/hypergeometric.h"
#include "support/check.h"
#include "support/fit.h"
#include "support/random.h"

typedef struct urn {
    uint64_t good, bad, draws;
} urn;

static const uint64_t many = UINT64_C(1000000000000000);

static uint64_t draw(stat_rng *rng, const void *context)
{
    const urn *u = context;
    return stat_hypergeometric(rng, u->good, u->bad, u->draws);
}

/* All four ways to turn the table, small means and large, and the edge between the two methods. */
static void distributions_are_exact(void **state)
{
    (void)state;
    static const urn cases[] = {
        {1, 1, 1},
        {3, 5, 4},
        {5, 3, 4},
        {20, 20, 20},
        {19, 21, 20},
        {40, 40, 20},
        {40, 40, 60},
        {60, 20, 40},
        {20, 60, 60},
        {500, 1500, 300},
        {1500, 500, 1700},
        {100000, 900000, 99},
        {100000, 900000, 101},
        {1000000, 1000000, 1000000},
        {10, 1000000000, 500000000},
        {1000000, UINT64_C(999999999000000), UINT64_C(9000000000)},
        {1000000, UINT64_C(999999999000000), UINT64_C(300000000000000)},
        {1000000, UINT64_C(999999999000000), UINT64_C(999000000000000)},
        {UINT64_C(500000000000000), UINT64_C(500000000000000), 17},
        {UINT64_C(500000000000000), UINT64_C(500000000000000), 40000},
        {UINT64_C(999999999960000), 40000, UINT64_C(300000000000000)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fit_distribution expected = fit_hypergeometric(cases[i].good, cases[i].bad, cases[i].draws);
        double p_value = fit_sample(&expected, draw, &cases[i], 200000, i);
        if (p_value < FIT_FALSE_ALARM)
            fail_msg("case %zu: p-value %g", i, p_value);
        fit_distribution_fini(&expected);
    }
}

/* Where the deviation is in the millions: moments are compared with those of the distribution. */
static void moments_of_huge_populations(void **state)
{
    (void)state;
    static const urn cases[] = {
        {UINT64_C(500000000000000), UINT64_C(500000000000000), UINT64_C(500000000000000)},
        {UINT64_C(300000000000000), UINT64_C(700000000000000), UINT64_C(100000000000000)},
        {UINT64_C(999000000000000), UINT64_C(1000000000000), UINT64_C(600000000000000)},
    };
    const int draws = 200000;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double good = (double)cases[i].good, bad = (double)cases[i].bad, total = good + bad;
        double fraction = (double)cases[i].draws / total, sums[2] = {0};
        double deviation = sqrt(good * (bad / total) * fraction * (1 - fraction));
        stat_rng rng;
        stat_rng_init(&rng, random_seed(500 + i), 0);
        for (int j = 0; j < draws; j++) {
            double z = fma(-good, fraction, (double)draw(&rng, &cases[i])) / deviation;
            sums[0] += z;
            sums[1] += z * z - 1;
        }
        assert_true(fit_normal(sums[0] / sqrt(draws)) > FIT_FALSE_ALARM);
        assert_true(fit_normal(sums[1] / sqrt(2.0 * draws)) > FIT_FALSE_ALARM);
    }
}

static uint64_t draw_with_replacement(stat_rng *rng, const void *context)
{
    const urn *u = context;
    uint64_t x = 0;
    for (uint64_t i = 0; i < u->draws; i++)
        x += stat_rng_below(rng, u->good + u->bad) < u->good;
    return x;
}

static uint64_t draw_from_richer_urn(stat_rng *rng, const void *context)
{
    const urn *u = context;
    return stat_hypergeometric(rng, u->good + u->good / 100, u->bad, u->draws);
}

static void wrong_samplers_are_detected(void **state)
{
    (void)state;
    static const urn small = {500, 1500, 300};
    fit_distribution expected = fit_hypergeometric(small.good, small.bad, small.draws);
    assert_true(fit_sample(&expected, draw_with_replacement, &small, 20000, 1) < FIT_FALSE_ALARM);
    assert_true(fit_sample(&expected, draw_from_richer_urn, &small, 200000, 1) < FIT_FALSE_ALARM);
    fit_distribution_fini(&expected);
}

/* Every possible small urn: inside the support, and forced where there is no choice. */
static void samples_lie_in_the_support(void **state)
{
    (void)state;
    stat_rng rng;
    stat_rng_init(&rng, random_seed(2), 0);
    for (uint64_t good = 0; good <= 12; good++)
        for (uint64_t bad = 0; bad <= 12; bad++)
            for (uint64_t draws = 0; draws <= good + bad; draws++)
                for (int i = 0; i < 20; i++) {
                    uint64_t x = stat_hypergeometric(&rng, good, bad, draws);
                    assert_true(x <= good);
                    assert_true(x <= draws);
                    assert_true(draws - x <= bad);
                }
    assert_true(stat_hypergeometric(&rng, many, 0, many) == many);
    assert_true(stat_hypergeometric(&rng, 0, many, many) == 0);
    assert_true(stat_hypergeometric(&rng, many / 2, many / 2, many) == many / 2);
    assert_true(stat_hypergeometric(&rng, 1, many - 1, many - 1) <= 1);
}

/* Totals are exact, no count exceeds its size, and each count has a hypergeometric distribution. */
static void many_kinds(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0, 700, 1, 299, 0, 1000, 0};
    enum {
        KINDS = sizeof sizes / sizeof sizes[0],
        REPEATS = 100000
    };
    static uint64_t observed[KINDS][1001];
    uint64_t counts[KINDS];
    stat_rng rng;
    stat_rng_init(&rng, random_seed(3), 0);
    for (int r = 0; r < REPEATS; r++) {
        uint64_t sum = 0;
        stat_hypergeometric_many(&rng, sizes, KINDS, 900, counts);
        for (int i = 0; i < KINDS; i++) {
            assert_true(counts[i] <= sizes[i]);
            sum += counts[i];
            observed[i][counts[i]]++;
        }
        assert_int_equal(sum, 900);
    }
    for (int i = 0; i < KINDS; i++) {
        fit_distribution expected = fit_hypergeometric(sizes[i], 2000 - sizes[i], 900);
        assert_true(fit_chi_square(observed[i] + expected.first, expected.probability,
                                   expected.count, REPEATS) > FIT_FALSE_ALARM);
        fit_distribution_fini(&expected);
    }
}

static void many_kinds_of_huge_sizes(void **state)
{
    (void)state;
    uint64_t sizes[] = {many / 2, 3, many / 4, many / 4 - 3}, sum = 0;
    stat_rng rng;
    stat_rng_init(&rng, random_seed(4), 0);
    stat_hypergeometric_many(&rng, sizes, 4, many / 3, sizes); /* in place */
    for (int i = 0; i < 4; i++)
        sum += sizes[i];
    assert_true(sum == many / 3);
    assert_true(sizes[1] <= 3);
}

SUITE(hypergeometric)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distributions_are_exact),
        cmocka_unit_test(moments_of_huge_populations),
        cmocka_unit_test(wrong_samplers_are_detected),
        cmocka_unit_test(samples_lie_in_the_support),
        cmocka_unit_test(many_kinds),
        cmocka_unit_test(many_kinds_of_huge_sizes),
    };
    return cmocka_run_group_tests_name("stat.hypergeometric", tests, NULL, NULL);
}
