/* SPDX-License-Identifier: MIT */
/*
 * Densities, beta tails, intervals and logarithms. The pinned numbers were
 * computed with 80 digits (log-gamma, quadrature and continued fractions).
 */
#include <math.h>

#include "stat/beta.h"
#include "stat/density.h"
#include "stat/interval.h"
#include "support/check.h"
#include "support/fit.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Absolute for numbers below 1, relative above. */
static void assert_close(double actual, double expected, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance * fmax(1, fabs(expected))))
        fail_msg("%.17g is not %.17g within %g", actual, expected, tolerance);
}

static void assert_relative(double actual, double expected, double tolerance)
{
    if (!(fabs(actual - expected) <= tolerance * fabs(expected)))
        fail_msg("%.17g is not %.17g within a relative %g", actual, expected, tolerance);
}

static void residues(void **state)
{
    (void)state;
    static const double pinned[][2] = {
        {0.0, 0.0},
        {1e-10, 2.3448635265121171501e-9},
        {0.5, 0.72579135264472743236},
        {1.5, 1.1764852083106725867},
        {7.25, 1.9209262703223931427},
        {15, 2.2785183673077405761},
        {15.999, 2.3104096246818126187},
        {16, 2.3104405502441730011},
        {17.5, 2.3548003606111213767},
        {100, 3.2223569567543533405},
        {12345.678, 5.6294759438511407491},
        {1e15, 18.188326730660015455},
    };
    for (size_t i = 0; i < COUNT(pinned); i++)
        assert_close(stat_residue(pinned[i][0]), pinned[i][1], 4e-15);
}

/* The formula at the head of stat/density.h, where the textbook one has no digits. */
static double log_binomial(double n, double p, double x)
{
    double mean = n * p, difference = (x - mean) - fma(n, p, -mean);
    return stat_residue(n) - stat_residue(x) - stat_residue(n - x) -
           stat_deviance(x, mean, difference) - stat_deviance(n - x, n * (1 - p), -difference);
}

/* NaN in, NaN out, without a long loop. */
static void deviances_terminate(void **state)
{
    (void)state;
    assert_true(isnan(stat_deviance(1, 1, NAN)));
    assert_true(isnan(stat_deviance(NAN, 1, 0)));
    assert_true(isnan(stat_deviance(1, NAN, 0)));
    assert_true(stat_deviance(5, 5, 0) == 0);
}

static void binomial_probabilities(void **state)
{
    (void)state;
    static const double pinned[][4] = {
        {10, 0.3, 3, -1.321151277766888636},
        {10, 0.3, 0, -3.5667494393873236305},
        {1000, 0.001, 5, -5.7930046081197558946},
        {1e15, 0.3, 3e14, -17.4080028565276815},
        {1e15, 0.3, 300000010000000, -17.646098103163690657},
        {1e15, 0.3, 299999950000000, -23.360383947610685375},
        {1e15, 1e-10, 100000, -6.6754020989731202824},
        {1e15, 1e-10, 99000, -11.68712744332173724},
        {1e15, 0.5, 500000100000000, -37.495179550100183646},
    };
    for (size_t i = 0; i < COUNT(pinned); i++)
        assert_close(log_binomial(pinned[i][0], pinned[i][1], pinned[i][2]), pinned[i][3], 2e-15);
}

static void beta_tails(void **state)
{
    (void)state;
    static const struct {
        double x, a, b, log_weight, below, above;
    } pinned[] = {
        {0.5, 0.5, 0.5, -1.8378770664093454836, 0.5, 0.5},
        {0.1, 0.5, 3.0, -1.5319126146080729081, 0.55458444465202953868, 0.44541555534797046132},
        {0.25, 2.0, 6.0, -0.76101153866709849639, 0.5550537109375, 0.4449462890625},
        {0.9, 2.0, 6.0, -10.288561970996559684, 0.99999360000000000001, 6.3999999999999916067e-6},
        {1e-20, 0.01, 5.0, -5.0449246619314314692, 0.64419456693139305768, 0.35580543306860694232},
        {0.3, 300.0, 700.0, 1.7543017401987705626, 0.50367118286076760796, 0.49632881713923239204},
        {0.5, 5000.0, 5000.0, 2.9930594722235149835, 0.5, 0.5},
        {0.2, 1e6, 3e6, -29522.142925876953074, 0, 1},
        {0.2999999, 3e14, 7e14, -8.2394010494941627413, 2.5881466954118009274e-12,
         0.9999999999974118533},
        {0.3000000001, 3e14, 7e14, 15.570101980595875647, 0.50275294502244469932,
         0.49724705497755530068},
        {0.30000005, 3e14, 7e14, 9.6177452113588587791, 0.99972004677323515617,
         0.00027995322676484383492},
        {1e-14, 7.0, 1e15, -0.46115556105181020339, 0.86985857911752207872, 0.13014142088247792128},
        {3e-14, 7.0, 1e15, -12.77086954037544113, 0.99999988268057997658, 1.1731942002341859951e-7},
        {0.999999999999999, 1e15, 2.5, -1.2858825862110505603, 0.84936618267214377248,
         0.15063381732785622752},
    };
    for (size_t i = 0; i < COUNT(pinned); i++) {
        double x = pinned[i].x, a = pinned[i].a, b = pinned[i].b;
        assert_close(stat_log_beta_weight(x, a, b), pinned[i].log_weight, 2e-14);
        assert_relative(stat_beta_below(x, a, b), pinned[i].below, 5e-12);
        assert_relative(stat_beta_above(x, a, b), pinned[i].above, 5e-12);
    }
    assert_true(stat_beta_below(0, 2, 3) == 0);
    assert_true(stat_beta_above(0, 2, 3) == 1);
    assert_true(stat_beta_below(1, 2, 3) == 1);
    assert_true(stat_beta_above(1, 2, 3) == 0);
    assert_true(stat_log_beta_weight(0, 2, 3) == -INFINITY);
}

/* Sums of exact binomial probabilities, on both sides of the two methods' border. */
static void beta_tails_are_binomial_sums(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        double p;
    } cases[] = {{1, 0.4},     {7, 0.9},       {100, 0.01},    {5000, 0.59},
                 {40000, 0.1}, {2000000, 0.5}, {5000000, 0.3}, {UINT64_C(1000000000), 4e-6}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        fit_distribution expected = fit_binomial(cases[i].n, cases[i].p);
        double at_least = 1;
        for (size_t j = 0; j < expected.count && at_least > 0.01; j++) {
            double k = (double)(expected.first + j), n = (double)cases[i].n;
            if (k > 0 && j > 0)
                assert_relative(stat_beta_below(cases[i].p, k, n - k + 1), at_least, 1e-11);
            at_least -= expected.probability[j];
        }
        fit_distribution_fini(&expected);
    }
}

static void quantiles_invert_the_tails(void **state)
{
    (void)state;
    static const double shapes[][2] = {{0.5, 0.5}, {1, 1},     {2, 30},      {1, 1e15},
                                       {1e15, 1},  {1e4, 1e4}, {3e14, 7e14}, {1e-3, 5}};
    static const double targets[] = {1e-12, 1e-3, 0.1, 0.5, 0.9};
    for (size_t i = 0; i < COUNT(shapes); i++)
        for (size_t j = 0; j < COUNT(targets); j++) {
            double a = shapes[i][0], b = shapes[i][1];
            double x = stat_beta_quantile(targets[j], a, b);
            assert_true(stat_beta_below(x, a, b) >= targets[j]);
            assert_true(x == 0 || stat_beta_below(nextafter(x, 0), a, b) <= targets[j]);
        }
}

/* Coverage, exactly: over all outcomes x, those whose interval holds p have 1 - alpha of the mass. */
static void intervals_cover(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 9, 40};
    static const double alphas[] = {0.3, 0.05, 1e-4};
    stat_interval intervals[41];
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (size_t a = 0; a < COUNT(alphas); a++) {
            for (uint64_t x = 0; x <= sizes[s]; x++)
                intervals[x] = stat_clopper_pearson(x, sizes[s], alphas[a]);
            for (double p = 0.005; p < 1; p += 0.005) {
                fit_distribution expected = fit_binomial(sizes[s], p);
                double covered = 0;
                for (size_t j = 0; j < expected.count; j++) {
                    stat_interval here = intervals[expected.first + j];
                    covered += here.lower <= p && p <= here.upper ? expected.probability[j] : 0;
                }
                assert_true(covered >= 1 - alphas[a]);
                fit_distribution_fini(&expected);
            }
        }
}

/* P(X = first … last) of n trials; far more exact than the margin of the intervals. */
static long double binomial_sum(int n, int first, int last, double p)
{
    long double sum = 0, choose = 1;
    for (int x = 0; x <= last; x++) {
        if (x >= first)
            sum += choose * powl(p, x) * powl(1 - (long double)p, n - x);
        choose = choose * (n - x) / (x + 1);
    }
    return sum;
}

/*
 * Each end fails with probability at most alpha/2, for any rounding. For alpha below 1e-6 the upper end may
 * be so close to 1 that one unit in the last place exceeds the margin.
 */
static void each_end_misses_with_at_most_half_of_alpha(void **state)
{
    (void)state;
    static const double alphas[] = {0.9, 0.3, 0.05, 1e-3, 1e-6, 1e-9, 1e-10, 1e-12, 1e-14, 1e-60};
    for (size_t i = 0; i < COUNT(alphas); i++)
        for (int n = 1; n <= 30; n++)
            for (int s = 0; s <= n; s++) {
                stat_interval found = stat_clopper_pearson((uint64_t)s, (uint64_t)n, alphas[i]);
                long double half = (long double)alphas[i] / 2;
                assert_true(s == 0 || binomial_sum(n, s, n, found.lower) <= half);
                assert_true(s == n || binomial_sum(n, 0, s, found.upper) <= half);
            }
}

/* As tight as its definition allows, and symmetric, up to 10^15 trials. */
static void intervals_are_tight(void **state)
{
    (void)state;
    static const uint64_t cases[][2] = {{1, 10},
                                        {7, 10},
                                        {3, 1000000},
                                        {300000, 1000000},
                                        {UINT64_C(300000000000000), UINT64_C(1000000000000000)},
                                        {UINT64_C(999999999999999), UINT64_C(1000000000000000)}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        double hits = (double)cases[i][0], misses = (double)(cases[i][1] - cases[i][0]);
        stat_interval found = stat_clopper_pearson(cases[i][0], cases[i][1], 0.02);
        stat_interval mirrored = stat_clopper_pearson(cases[i][1] - cases[i][0], cases[i][1], 0.02);
        assert_true(stat_beta_below(found.lower, hits, misses + 1) <= 0.01);
        if (found.lower < 0.9) /* near 1 the doubles are too far apart to be tight */
            assert_relative(stat_beta_below(found.lower, hits, misses + 1), 0.01, 1e-5);
        assert_true(stat_beta_above(found.upper, hits + 1, misses) <= 0.01);
        assert_true(fabs(found.upper - (1 - mirrored.lower)) <= 0x1p-52);
    }
    stat_interval none = stat_clopper_pearson(0, 10, 0.05),
                  all = stat_clopper_pearson(10, 10, 0.05);
    assert_true(none.lower == 0);
    assert_true(all.upper == 1);
    assert_relative(none.upper, 1 - pow(0.025, 0.1), 1e-9);
}

/* n successes in n trials give a root of alpha/2, and one success nearly alpha/2 / n. */
static void intervals_for_subnormal_alpha(void **state)
{
    (void)state;
    static const double alphas[] = {1e-300, 1e-310, 1e-320, 3 * 0x1p-1074, 0x1p-1074};
    for (size_t i = 0; i < COUNT(alphas); i++)
        for (uint64_t n = 1; n <= 1000000; n *= 10) {
            long double half = (long double)alphas[i] / 2;
            double all = stat_clopper_pearson(n, n, alphas[i]).lower;
            double one = stat_clopper_pearson(1, n, alphas[i]).lower;
            double root = (double)expl(logl(half) / (long double)n);
            double part = (double)(half / (long double)n);
            assert_true(all <= root);
            assert_true(one <= part);
            if (alphas[i] < 1e-310)
                continue; /* the doubles are too far apart to be tight */
            assert_relative(all, root, 2e-9);
            assert_relative(one, part, 2e-7);
        }
    assert_relative(stat_deviance(1, 1e-310, 1), -log(1e-310) - 1, 1e-15);
}

SUITE(special)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residues),
        cmocka_unit_test(deviances_terminate),
        cmocka_unit_test(binomial_probabilities),
        cmocka_unit_test(beta_tails),
        cmocka_unit_test(beta_tails_are_binomial_sums),
        cmocka_unit_test(quantiles_invert_the_tails),
        cmocka_unit_test(intervals_cover),
        cmocka_unit_test(each_end_misses_with_at_most_half_of_alpha),
        cmocka_unit_test(intervals_are_tight),
        cmocka_unit_test(intervals_for_subnormal_alpha),
    };
    return cmocka_run_group_tests_name("stat.special", tests, NULL, NULL);
}
