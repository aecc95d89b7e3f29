/* SPDX-License-Identifier: MIT */
/*
 * Compares gamma variates with the exact distribution functions of half-integer shapes, by the inequality of
 * Dvoretzky, Kiefer, Wolfowitz and Massart: each assertion has a false-alarm rate of 1e-9. Another shape is
 * detected.
 */
#include <math.h>
#include <stdlib.h>

#include "stat/gamma.h"
#include "support/check.h"

enum {
    DRAWS = 200000
};

/* P(a, x) = P(a - 1, x) - x^(a-1) e^(-x) / Γ(a), from a = 1/2 or 1. */
static double distribution(double shape, double x)
{
    double a = shape == floor(shape) ? 1 : 0.5, p = a == 1 ? -expm1(-x) : erf(sqrt(x));
    for (; a < shape; a++)
        p -= exp(a * log(x) - x - lgamma(a + 1));
    return p;
}

static int ascending(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return one < other ? -1 : one > other;
}

/* The greatest difference between the empirical distribution of `drawn` and that of `shape`. */
static double distance(double drawn, double shape, uint64_t seed)
{
    static double draws[DRAWS];
    stat_rng rng;
    double most = 0;
    stat_rng_init(&rng, seed, 0);
    for (size_t i = 0; i < DRAWS; i++)
        draws[i] = stat_gamma(&rng, drawn);
    qsort(draws, DRAWS, sizeof *draws, ascending);
    for (size_t i = 0; i < DRAWS; i++) {
        double p = distribution(shape, draws[i]);
        most = fmax(most, fmax(p - (double)i / DRAWS, (double)(i + 1) / DRAWS - p));
    }
    return most;
}

static void half_integer_shapes(void **state)
{
    (void)state;
    static const double shapes[] = {0.5, 1, 1.5, 2, 2.5, 3, 7.5, 20, 40.5};
    const double most = sqrt(log(2 / 1e-9) / (2.0 * DRAWS));
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        assert_true(distance(shapes[i], shapes[i], i) < most);
        assert_true(distance(shapes[i] * 1.05, shapes[i], i) > most);
    }
}

static void large_and_small_shapes(void **state)
{
    (void)state;
    stat_rng rng;
    stat_rng_init(&rng, 1, 1);
    for (int i = 0; i < 1000; i++) {
        double large = stat_gamma(&rng, 1e15), small = stat_gamma(&rng, 1e-6);
        assert_true(fabs(large - 1e15) < 7 * sqrt(1e15));
        assert_true(small > 0);
        assert_true(isfinite(small));
    }
}

SUITE(gamma)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_integer_shapes),
        cmocka_unit_test(large_and_small_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
