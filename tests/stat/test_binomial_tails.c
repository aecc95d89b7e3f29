/* SPDX-License-Identifier: MIT */
/*
 * Compares the public functions of the binomial distribution with sums in long double, and at extreme
 * arguments.
 */
#include <math.h>

#include <omegapac/binomial.h>

#include "support/check.h"

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * expected))
        fail_msg("%.17g, expected %.17g", found, expected);
}

/* All values of some distributions. */
static void tails_are_sums(void **state)
{
    static const uint64_t trials[] = {1, 2, 7, 40};
    static const double p[] = {0.5, 0.1, 0.984375};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 3; j++) {
            uint64_t n = trials[i];
            long double density = powl(1 - (long double)p[j], (long double)n), below = 0;
            long double all[64];
            for (uint64_t s = 0; s <= n; s++) {
                all[s] = density;
                density *=
                    (long double)(n - s) / (long double)(s + 1) * p[j] / (1 - (long double)p[j]);
            }
            for (uint64_t s = 0; s <= n; s++) {
                long double above = 0;
                for (uint64_t t = n; t > s; t--)
                    above += all[t];
                below += all[s];
                assert_near(exp(opac_binomial_log_probability(n, p[j], s)), (double)all[s], 1e-11);
                assert_near(opac_binomial_at_most(n, p[j], s), (double)below, 1e-11);
                assert_near(opac_binomial_above(n, p[j], s), (double)above, 1e-11);
            }
        }
}

static void ends(void **state)
{
    (void)state;
    assert_true(opac_binomial_log_probability(5, 0, 0) == 0);
    assert_true(opac_binomial_log_probability(5, 1, 5) == 0);
    assert_true(opac_binomial_log_probability(5, 0, 1) == -INFINITY);
    assert_true(opac_binomial_log_probability(5, 1, 4) == -INFINITY);
    assert_true(opac_binomial_log_probability(5, 0.5, 6) == -INFINITY);
    assert_true(opac_binomial_above(5, 0.5, 5) == 0);
    assert_true(opac_binomial_above(5, 0.5, 9) == 0);
    assert_true(opac_binomial_at_most(5, 0.5, 5) == 1);
    assert_true(opac_binomial_at_most(5, 0, 0) == 1);
    assert_true(opac_binomial_above(5, 1, 0) == 1);
}

/*
 * At its ends, the observed number is at the edge of what has probability alpha / 2; up to the outward
 * rounding.
 */
static void intervals(void **state)
{
    double lower, upper;
    (void)state;
    opac_clopper_pearson(18, 20, 0.05, &lower, &upper);
    assert_near(opac_binomial_above(20, lower, 17), 0.025, 1e-8);
    assert_near(opac_binomial_at_most(20, upper, 18), 0.025, 1e-8);
    opac_clopper_pearson(0, 20, 0.01, &lower, &upper);
    assert_true(lower == 0);
    assert_near(upper, 1 - pow(0.005, 1.0 / 20), 1e-8);
    opac_clopper_pearson(20, 20, 0.01, &lower, &upper);
    assert_true(upper == 1);
}

SUITE(binomial_tails)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_are_sums),
        cmocka_unit_test(ends),
        cmocka_unit_test(intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
