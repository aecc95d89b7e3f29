/* SPDX-License-Identifier: MIT */
/*
 * The lower bound on the probability of success. The probability that it ever exceeds p is computed exactly
 * for the first trials (misses.h). Its values are compared in sequence_oracle.py.
 */
#include "stat/success_bound.h"

#include <math.h>

#include "stat/misses.h"
#include "stat/sequence.h"
#include "support/check.h"
#include "support/random.h"

enum {
    PROBABILITIES = 10
};

static const double probabilities[PROBABILITIES] = {0.001, 0.02, 0.1,  0.3,  0.5,
                                                    0.7,   0.9,  0.95, 0.99, 0.999};

static stat_interval from_below(uint64_t successes, uint64_t trials, double alpha)
{
    return (stat_interval){stat_success_lower(successes, trials, log(alpha)), 1};
}

/* Deliberately wrong: the larger of the two bounds, each at level alpha in place of alpha/2. */
static stat_interval larger_of_two(uint64_t successes, uint64_t trials, double alpha)
{
    double mixture = stat_sequence_jeffreys(successes, trials, log(alpha)).lower;
    double always = successes == trials ? exp(log(alpha) / (double)trials) : 0;
    return (stat_interval){fmax(mixture, always), 1};
}

/* Deliberately wrong: the first failure is not counted, so the bet on success survives it. */
static stat_interval forgets_failures(uint64_t successes, uint64_t trials, double alpha)
{
    return from_below(successes, trials - (trials - successes > 0), alpha);
}

/* ---- the exact probability of a miss ---- */

static double worst_miss(misses_sequence bounds, double alpha)
{
    return misses_worst(bounds, alpha, MISSES_TRIALS, probabilities, PROBABILITIES);
}

static void is_missed_rarely(void **state)
{
    (void)state;
    static const double alphas[] = {0.9, 0.5, 0.1, 0.01, 1e-4, 1e-8};
    for (size_t i = 0; i < sizeof alphas / sizeof alphas[0]; i++) {
        double worst = worst_miss(from_below, alphas[i]);
        assert_true(worst <= alphas[i]);
        assert_true(worst >= alphas[i] / 4); /* a bound that is far too low would also never miss */
    }
}

/* Each p alone: a miss is possible, and rare; at .999 it takes more trials than these. */
static void every_probability_is_missed(void **state)
{
    (void)state;
    for (int i = 0; i < PROBABILITIES; i++) {
        double missed = misses_worst(from_below, 0.5, MISSES_TRIALS, &probabilities[i], 1);
        assert_true((missed > 0) == (probabilities[i] < 0.999));
        assert_true(missed <= 0.5);
    }
}

/*
 * With p^m slightly below alpha for some m, the bet on success alone misses with a probability of nearly
 * alpha, and the mixture adds the runs with a failure.
 */
static void wrong_bounds_are_detected(void **state)
{
    (void)state;
    for (double alpha = 0.5; alpha > 0.004; alpha /= 10) {
        double p[PROBABILITIES];
        for (int i = 0; i < PROBABILITIES; i++)
            p[i] = pow(alpha, 1.0 / (1 + i)) * (1 - 1e-9);
        assert_true(misses_worst(from_below, alpha, MISSES_TRIALS, p, PROBABILITIES) <= alpha);
        assert_true(misses_worst(larger_of_two, alpha, MISSES_TRIALS, p, PROBABILITIES) > alpha);
        assert_true(misses_worst(forgets_failures, alpha, MISSES_TRIALS, p, PROBABILITIES) > alpha);
    }
}

/* ---- values ---- */

/* C(2m, m) / 4^m is the product of 1 - 1/(2i). */
static void all_successes(void **state)
{
    (void)state;
    long double r = 1;
    for (uint64_t m = 1; m <= 5000; m++) {
        r *= 1 - 1 / (2 * (long double)m);
        for (double log_alpha = -1e-9; log_alpha > -2e4; log_alpha *= 97) {
            long double exponent = (log_alpha + logl((1 + r) / 2)) / (long double)m;
            double found = stat_success_lower(m, m, log_alpha);
            assert_true(found <= expl(exponent));
            assert_true(1 - found <= -expm1l(exponent) * (1 + 1e-12L) + 0x1p-51L);
            assert_true(found >= expl(exponent) * (1 - 1e-12L) - 0x1p-1070L);
        }
    }
    assert_true(fabs(stat_success_lower(1, 1, log(0.1)) - 0.075) < 1e-13); /* α · 3/4 */
}

/* With a failure: Jeffreys' bound at α/2. */
static void some_failures(void **state)
{
    (void)state;
    for (uint64_t m = 2; m <= 1000; m += 1 + m / 10)
        for (uint64_t k = 1; k < m; k++) {
            double found = stat_success_lower(k, m, -3), share = (double)k / (double)m;
            double exact = stat_sequence_jeffreys(k, m, -3 - log(2)).lower;
            assert_true(fabs(found - exact) <= 1e-12 * (share - exact) + 0x1p-50);
        }
}

static void grows_with_successes(void **state)
{
    (void)state;
    uint64_t random = random_seed(73);
    for (int i = 0; i < 20000; i++) {
        uint64_t m = 1 + random_u64(&random) % (UINT64_C(1) << (1 + i % 45));
        uint64_t k = i % 3 == 0 ? random_u64(&random) % m : m - 1 - random_u64(&random) % m % 9;
        double log_alpha = -0.001 - 0.3 * (i % 97), found = stat_success_lower(k, m, log_alpha);
        assert_true(found >= 0);
        assert_true(found <= (double)k / (double)m);
        assert_true(found < stat_success_lower(k + 1, m, log_alpha));
        assert_true(stat_success_lower(k, m, log_alpha * (1 + 1e-9)) <= found);
    }
    for (uint64_t m = 1; m <= 60; m++)
        for (uint64_t k = 0; k < m; k++)
            assert_true(stat_success_lower(k, m, -2.3) < stat_success_lower(k + 1, m, -2.3));
}

/* With the same number of failures. */
static void grows_with_trials(void **state)
{
    (void)state;
    for (uint64_t failures = 0; failures < 2; failures++) {
        double last = 0;
        for (uint64_t m = 2; m <= UINT64_C(1) << 53; m *= 2) {
            double found = stat_success_lower(m - failures, m, -7);
            assert_true(found > last);
            assert_true(found < 1);
            last = found;
        }
        assert_true(last > 1 - 1e-14);
    }
}

static void extremes(void **state)
{
    (void)state;
    assert_true(stat_success_lower(0, 0, -3) == 0);
    for (uint64_t m = 1; m <= UINT64_C(1) << 53; m *= 2)
        for (double log_alpha = -1e-300; log_alpha >= -1e5; log_alpha *= 1e5) {
            assert_true(stat_success_lower(0, m, log_alpha) == 0);
            double always = stat_success_lower(m, m, log_alpha);
            assert_true(always >= 0);
            assert_true(always < 1);
            double once = stat_success_lower(1, m + 1 < UINT64_C(1) << 53 ? m + 1 : m, log_alpha);
            assert_true(once <= (m == 1 ? 0.5 : always));
            double last = stat_success_lower(m - 1, m, log_alpha);
            assert_true(m == 1 || last < always || always == 0);
        }
    assert_true(stat_success_lower(1, 1, -1e5) == 0);
    assert_true(stat_success_lower(1, 2, -1e5) == 0);
    assert_true(stat_success_lower(3, 3, -INFINITY) == 0);
    assert_true(stat_success_lower(2, 3, -INFINITY) == 0);
    /* ln α = -1e5: e^(-.1) after a million successes. */
    assert_true(fabs(stat_success_lower(1000000, 1000000, -1e5) - exp(-0.1)) < 1e-6);
}

SUITE(success_bound)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_missed_rarely),
        cmocka_unit_test(every_probability_is_missed),
        cmocka_unit_test(wrong_bounds_are_detected),
        cmocka_unit_test(all_successes),
        cmocka_unit_test(some_failures),
        cmocka_unit_test(grows_with_successes),
        cmocka_unit_test(grows_with_trials),
        cmocka_unit_test(extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
