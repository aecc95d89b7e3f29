/* SPDX-License-Identifier: MIT */
/* Multinomial counts: totals, zeros, and the binomial distribution of each category (false alarm 1e-6 each). */
#include <math.h>

#include "stat/multinomial.h"
#include "support/check.h"
#include "support/fit.h"
#include "support/random.h"

enum {
    LARGEST = 50
};

static void totals_are_exact_and_zeros_stay_zero(void **state)
{
    (void)state;
    double weights[LARGEST];
    stat_split splits[LARGEST];
    uint64_t counts[LARGEST];
    stat_rng rng;
    stat_rng_init(&rng, random_seed(21), 0);
    for (size_t count = 1; count <= LARGEST; count++)
        for (uint64_t n = 0; n <= UINT64_C(1000000000000000); n = n * 1000 + 1) {
            uint64_t sum = 0;
            for (size_t i = 0; i < count; i++)
                weights[i] = stat_rng_below(&rng, 2) == 0 ? 0 : stat_rng_open(&rng);
            weights[stat_rng_below(&rng, count)] = 1e-12;
            assert_status(stat_multinomial_prepare(weights, count, splits, NULL), OPAC_OK);
            stat_multinomial(&rng, n, splits, count, counts);
            for (size_t i = 0; i < count; i++) {
                assert_true(weights[i] > 0 || counts[i] == 0);
                sum += counts[i];
            }
            assert_true(sum == n);
        }
}

/* Marginals for a given n; the weights need not add up to 1. Returns the least p-value. */
static double least_p_value(const double *weights, const double *claimed, size_t count, uint64_t n)
{
    enum {
        REPEATS = 100000
    };
    stat_split splits[LARGEST];
    uint64_t *drawn = malloc(REPEATS * count * sizeof *drawn);
    double sum = 0, least = 1;
    stat_rng rng;
    stat_rng_init(&rng, random_seed(22), n);
    assert_non_null(drawn);
    assert_status(stat_multinomial_prepare(weights, count, splits, NULL), OPAC_OK);
    for (size_t r = 0; r < REPEATS; r++)
        stat_multinomial(&rng, n, splits, count, drawn + r * count);
    for (size_t i = 0; i < count; i++)
        sum += claimed[i];
    for (size_t i = 0; i < count; i++) {
        fit_distribution expected = fit_binomial(n, claimed[i] / sum);
        uint64_t *observed = calloc(expected.count, sizeof *observed);
        assert_non_null(observed);
        for (size_t r = 0; r < REPEATS; r++) {
            assert_in_range(drawn[r * count + i], expected.first,
                            expected.first + expected.count - 1);
            observed[drawn[r * count + i] - expected.first]++;
        }
        least =
            fmin(least, fit_chi_square(observed, expected.probability, expected.count, REPEATS));
        free(observed);
        fit_distribution_fini(&expected);
    }
    free(drawn);
    return least;
}

static void marginals_are_binomial(void **state)
{
    (void)state;
    static const double weights[] = {4, 0, 8, 1, 0.5, 6, 0}, other[] = {4, 0, 8, 1, 0.5, 6.1, 0};
    assert_true(least_p_value(weights, weights, 7, 3) > FIT_FALSE_ALARM);
    assert_true(least_p_value(weights, weights, 7, 1000) > FIT_FALSE_ALARM);
    assert_true(least_p_value(weights, other, 7, 1000) < FIT_FALSE_ALARM);
}

/*
 * A rare category behind a common one: 10^15 items over {1, 3e-15, 2e-15}. A
 * conditional probability kept as 1 - 5e-15 would be wrong by two percent.
 */
static void rare_categories_behind_common_ones(void **state)
{
    (void)state;
    enum {
        REPEATS = 300000
    };
    static const double weights[] = {1, 3e-15, 2e-15};
    const uint64_t n = UINT64_C(1000000000000000);
    uint64_t counts[3], observed[2][100] = {{0}};
    stat_split splits[3];
    stat_rng rng;
    stat_rng_init(&rng, random_seed(23), 0);
    assert_status(stat_multinomial_prepare(weights, 3, splits, NULL), OPAC_OK);
    for (int r = 0; r < REPEATS; r++) {
        stat_multinomial(&rng, n, splits, 3, counts);
        assert_true(counts[1] < 100);
        assert_true(counts[2] < 100);
        observed[0][counts[1]]++;
        observed[1][counts[2]]++;
    }
    for (int i = 0; i < 2; i++) {
        fit_distribution expected = fit_binomial(n, weights[i + 1]);
        assert_true(fit_chi_square(observed[i], expected.probability, expected.count, REPEATS) >
                    FIT_FALSE_ALARM);
        fit_distribution_fini(&expected);
    }
}

static void bad_weights_are_refused(void **state)
{
    (void)state;
    stat_split splits[2];
    opac_error error;
    assert_status(stat_multinomial_prepare((double[]){0, 0}, 2, splits, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_status(stat_multinomial_prepare((double[]){1, -1}, 2, splits, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_status(stat_multinomial_prepare((double[]){5e-324, 5e-324}, 2, splits, &error), OPAC_OK);
    assert_true(splits[0].share == 0.5);
}

SUITE(multinomial)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_are_exact_and_zeros_stay_zero),
        cmocka_unit_test(marginals_are_binomial),
        cmocka_unit_test(rare_categories_behind_common_ones),
        cmocka_unit_test(bad_weights_are_refused),
    };
    return cmocka_run_group_tests_name("stat.multinomial", tests, NULL, NULL);
}
