/* SPDX-License-Identifier: MIT */
/*
 * Compares binomial random numbers with exact probabilities, from n = 1 to 10^15. Each of about 40
 * statistical assertions has a false-alarm rate of FIT_FALSE_ALARM (support/fit.h). Deliberately wrong
 * samplers show that the tests have power.
 */
#include <math.h>

#include "stat/beta.h"
#include "stat/binomial.h"
#include "support/check.h"
#include "support/fit.h"
#include "support/random.h"

typedef struct trials {
    uint64_t n;
    double p;
} trials;

static const uint64_t many = UINT64_C(1000000000000000);

static uint64_t draw(stat_rng *rng, const void *context)
{
    const trials *t = context;
    return stat_binomial(rng, t->n, t->p);
}

static void small_and_skewed_distributions(void **state)
{
    (void)state;
    static const trials cases[] = {{1, 0.5},       {1, 1e-3},        {2, 0.3},
                                   {10, 0.9},      {19, 0.5},        {20, 0.5},
                                   {21, 0.5},      {50, 0.2},        {100, 0.0999},
                                   {100, 0.1},     {100, 0.9},       {1000, 0.01},
                                   {1000, 0.0101}, {1000, 0.5},      {100000, 1e-4},
                                   {100000, 0.37}, {1u << 31, 1e-8}, {1u << 31, 0.999999}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fit_distribution expected = fit_binomial(cases[i].n, cases[i].p);
        double p_value = fit_sample(&expected, draw, &cases[i], 300000, i);
        if (p_value < FIT_FALSE_ALARM)
            fail_msg("n = %llu, p = %g: p-value %g", (unsigned long long)cases[i].n, cases[i].p,
                     p_value);
        fit_distribution_fini(&expected);
    }
}

/* n = 10^15 where single values can be distinguished: means from 1e-2 to 1e5, from both ends. */
static void huge_n_with_small_mean(void **state)
{
    (void)state;
    static const double probabilities[] = {1e-17, 5e-15, 9.99e-15, 1.01e-14, 1e-13, 1e-10};
    for (size_t i = 0; i < sizeof probabilities / sizeof probabilities[0]; i++) {
        trials t = {many, probabilities[i]};
        fit_distribution expected = fit_binomial(t.n, t.p);
        assert_true(fit_sample(&expected, draw, &t, 300000, 100 + i) > FIT_FALSE_ALARM);
        fit_distribution_fini(&expected);
    }
    trials high = {many, 1 - 0x1p-53}; /* failures: mean 0.111 */
    fit_distribution expected = fit_binomial(many, 0x1p-53);
    uint64_t failures[8] = {0};
    stat_rng rng;
    stat_rng_init(&rng, random_seed(110), 0);
    for (int i = 0; i < 300000; i++) {
        uint64_t x = many - draw(&rng, &high);
        assert_in_range(x, 0, 7);
        failures[x]++;
    }
    assert_true(fit_chi_square(failures, expected.probability, 8, 300000) > FIT_FALSE_ALARM);
    fit_distribution_fini(&expected);
}

enum {
    CELLS = 64
};

/* Boundaries of cells of about equal probability, and their exact probabilities. */
static void make_cells(trials t, uint64_t *end, double *probability)
{
    double below = 0;
    for (int i = 0; i < CELLS; i++) {
        double x = (double)t.n * t.p;
        double deviation = sqrt(x * (1 - t.p));
        /* Inverse of the logistic distribution: cells of about equal probability, which is sufficient. */
        double quantile = (i + 1.0) / CELLS;
        end[i] = i + 1 == CELLS
                     ? t.n
                     : (uint64_t)(x + deviation * log(quantile / (1 - quantile)) / 1.702);
        double up_to =
            i + 1 == CELLS ? 1 : stat_beta_above(t.p, (double)end[i] + 1, (double)(t.n - end[i]));
        probability[i] = up_to - below;
        below = up_to;
    }
}

static double fit_cells(trials t, fit_sampler sampler, int draws, uint64_t seed)
{
    uint64_t end[CELLS], observed[CELLS] = {0};
    double probability[CELLS];
    stat_rng rng;
    make_cells(t, end, probability);
    stat_rng_init(&rng, random_seed(seed), 0);
    for (int i = 0; i < draws; i++) {
        uint64_t x = sampler(&rng, &t);
        size_t cell = 0;
        while (x > end[cell])
            cell++;
        observed[cell]++;
    }
    return fit_chi_square(observed, probability, CELLS, (uint64_t)draws);
}

static void huge_n_in_cells(void **state)
{
    (void)state;
    static const double probabilities[] = {1e-8, 1e-4, 0.3, 0.5, 0.75, 1 - 1e-9};
    for (size_t i = 0; i < sizeof probabilities / sizeof probabilities[0]; i++)
        assert_true(fit_cells((trials){many, probabilities[i]}, draw, 300000, 200 + i) >
                    FIT_FALSE_ALARM);
}

/* The last digits of numbers as large as 3e14 are uniform: nothing is rounded to even on the way. */
static void huge_numbers_have_all_digits(void **state)
{
    (void)state;
    uint64_t observed[10] = {0};
    double tenth[10];
    stat_rng rng;
    stat_rng_init(&rng, random_seed(300), 0);
    for (int i = 0; i < 300000; i++)
        observed[stat_binomial(&rng, many, 0.3) % 10]++;
    for (int i = 0; i < 10; i++)
        tenth[i] = 0.1;
    assert_true(fit_chi_square(observed, tenth, 10, 300000) > FIT_FALSE_ALARM);
}

/* Mean, variance and the third moment, whose own variances are those of a normal distribution. */
static void moments_at_the_extremes(void **state)
{
    (void)state;
    static const trials cases[] = {{1000000, 0.2}, {UINT64_C(1000000000000), 1e-6},
                                   {many, 0.3},    {many, 0.5},
                                   {many, 1e-3},   {UINT64_MAX, 0.25}};
    const int draws = 200000;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double n = (double)cases[i].n, p = cases[i].p, sums[3] = {0};
        double deviation = sqrt(n * p * (1 - p));
        int count = cases[i].n == UINT64_MAX ? draws / 100 : draws;
        stat_rng rng;
        stat_rng_init(&rng, random_seed(400 + i), 0);
        for (int j = 0; j < count; j++) {
            double z = (fma(-n, p, (double)draw(&rng, &cases[i]))) / deviation;
            sums[0] += z;
            sums[1] += z * z - 1;
            sums[2] += z * z * z - (1 - 2 * p) / deviation;
        }
        const double variance[] = {1, 2, 15};
        for (int m = 0; m < 3; m++)
            assert_true(fit_normal(sums[m] / sqrt(count * variance[m])) > FIT_FALSE_ALARM);
    }
}

static void degenerate_distributions(void **state)
{
    (void)state;
    stat_rng rng;
    stat_rng_init(&rng, random_seed(1), 1);
    for (int i = 0; i < 1000; i++) {
        assert_true(stat_binomial(&rng, 0, 0.5) == 0);
        assert_true(stat_binomial(&rng, many, 0) == 0);
        assert_true(stat_binomial(&rng, many, 1) == many);
        assert_true(stat_binomial(&rng, many, 1e-300) == 0);
        assert_true(stat_binomial(&rng, many, 5e-324) == 0);
        assert_true(stat_binomial(&rng, UINT64_MAX, 1) == UINT64_MAX);
        assert_true(stat_binomial(&rng, 5, 1 - 0x1p-53) <= 5);
        assert_true(stat_binomial(&rng, 1, 0.5) <= 1);
    }
}

static uint64_t draw_with_larger_p(stat_rng *rng, const void *context)
{
    const trials *t = context;
    return stat_binomial(rng, t->n, t->p * 1.01);
}

/* Wrong acceptance: one in 25 of the samples above the mean is rejected. */
static uint64_t draw_refusing_some(stat_rng *rng, const void *context)
{
    const trials *t = context;
    for (;;) {
        uint64_t x = stat_binomial(rng, t->n, t->p);
        if ((double)x <= (double)t->n * t->p || stat_rng_below(rng, 25) != 0)
            return x;
    }
}

static void wrong_samplers_are_detected(void **state)
{
    (void)state;
    static const trials cases[] = {{20, 0.5}, {100, 0.0999}, {1000, 0.01}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fit_distribution expected = fit_binomial(cases[i].n, cases[i].p);
        assert_true(fit_sample(&expected, draw_with_larger_p, &cases[i], 300000, i) <
                    FIT_FALSE_ALARM);
        assert_true(fit_sample(&expected, draw_refusing_some, &cases[i], 300000, i) <
                    FIT_FALSE_ALARM);
        fit_distribution_fini(&expected);
    }
    assert_true(fit_cells((trials){many, 1e-10}, draw_with_larger_p, 300000, 9) < FIT_FALSE_ALARM);
    assert_true(fit_cells((trials){many, 0.3}, draw_refusing_some, 300000, 9) < FIT_FALSE_ALARM);
}

SUITE(binomial)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_and_skewed_distributions),
        cmocka_unit_test(huge_n_with_small_mean),
        cmocka_unit_test(huge_n_in_cells),
        cmocka_unit_test(huge_numbers_have_all_digits),
        cmocka_unit_test(moments_at_the_extremes),
        cmocka_unit_test(degenerate_distributions),
        cmocka_unit_test(wrong_samplers_are_detected),
    };
    return cmocka_run_group_tests_name("stat.binomial", tests, NULL, NULL);
}
