/* SPDX-License-Identifier: MIT */
/*
 * Compares beta tails and samplers with GSL, where it is installed; otherwise the tests are skipped. The
 * two-sample tests have a false-alarm rate of 1e-6 each.
 */
#include "support/check.h"

#ifdef HAVE_GSL

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "stat/beta.h"
#include "stat/binomial.h"
#include "stat/hypergeometric.h"
#include "support/fit.h"
#include "support/random.h"

static void beta_tails(void **state)
{
    (void)state;
    for (double a = 0.3; a < 1e6; a *= 7)
        for (double b = 0.3; b < 1e6; b *= 5)
            for (double p = 0.001; p < 1; p += 0.0999) {
                double x = stat_beta_quantile(p, a, b);
                if (x > 1e-300 && x < 1 - 1e-9) {
                    double found = stat_beta_below(x, a, b), gsl = gsl_cdf_beta_P(x, a, b);
                    assert_true(fabs(found - gsl) < 1e-9);
                }
            }
}

/* With as many draws of each, (x - y)² / (x + y) over the cells is a chi-square number. */
static double same_law(const uint64_t *x, const uint64_t *y, size_t cells)
{
    double statistic = 0, degrees = 0;
    for (size_t i = 0; i < cells; i++) {
        double sum = (double)(x[i] + y[i]), difference = (double)x[i] - (double)y[i];
        if (sum < 20)
            continue;
        statistic += difference * difference / sum;
        degrees++;
    }
    return gsl_cdf_chisq_Q(statistic, degrees);
}

enum {
    CELLS = 200,
    DRAWS = 300000
};

static void binomial_numbers(void **state)
{
    (void)state;
    static const double probabilities[] = {0.01, 0.2, 0.5, 0.8};
    gsl_rng *other = gsl_rng_alloc(gsl_rng_mt19937);
    stat_rng rng;
    stat_rng_init(&rng, random_seed(61), 0);
    for (size_t i = 0; i < 4; i++) {
        uint64_t ours[CELLS] = {0}, theirs[CELLS] = {0};
        for (int j = 0; j < DRAWS; j++) {
            ours[stat_binomial(&rng, CELLS - 1, probabilities[i])]++;
            theirs[gsl_ran_binomial(other, probabilities[i], CELLS - 1)]++;
        }
        assert_true(same_law(ours, theirs, CELLS) > FIT_FALSE_ALARM);
    }
    gsl_rng_free(other);
}

static void hypergeometric_numbers(void **state)
{
    (void)state;
    static const unsigned urns[][3] = {{30, 70, 20}, {150, 90, 120}, {199, 1000, 500}};
    gsl_rng *other = gsl_rng_alloc(gsl_rng_mt19937);
    stat_rng rng;
    stat_rng_init(&rng, random_seed(62), 0);
    for (size_t i = 0; i < 3; i++) {
        uint64_t ours[CELLS] = {0}, theirs[CELLS] = {0};
        for (int j = 0; j < DRAWS / 3; j++) {
            ours[stat_hypergeometric(&rng, urns[i][0], urns[i][1], urns[i][2])]++;
            theirs[gsl_ran_hypergeometric(other, urns[i][0], urns[i][1], urns[i][2])]++;
        }
        assert_true(same_law(ours, theirs, CELLS) > FIT_FALSE_ALARM);
    }
    gsl_rng_free(other);
}

#else

static void beta_tails(void **state)
{
    (void)state;
    skip();
}

static void binomial_numbers(void **state)
{
    (void)state;
    skip();
}

static void hypergeometric_numbers(void **state)
{
    (void)state;
    skip();
}

#endif

SUITE(gsl)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beta_tails),
        cmocka_unit_test(binomial_numbers),
        cmocka_unit_test(hypergeometric_numbers),
    };
    return cmocka_run_group_tests_name("stat.gsl", tests, NULL, NULL);
}
