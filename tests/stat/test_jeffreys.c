/* SPDX-License-Identifier: MIT */
/*
 * The mixture with Jeffreys' prior, and the functions next to it in sequence.h. The probability of ever
 * missing p is computed exactly for the first trials (misses.h), and estimated for long runs with an exact
 * test. The ends are compared in sequence_oracle.py.
 */
#include <math.h>

#include "stat/beta.h"
#include "stat/interval.h"
#include "stat/misses.h"
#include "stat/rng.h"
#include "stat/sequence.h"
#include "support/check.h"
#include "support/random.h"

enum {
    MOST_TRIALS = MISSES_TRIALS,
    PROBABILITIES = 10,
    LONG = 100000
};

static const double probabilities[PROBABILITIES] = {0.001, 0.01, 0.05, 0.2,  1.0 / 3,
                                                    0.5,   0.6,  0.9,  0.99, 0.999};

static stat_interval jeffreys(uint64_t successes, uint64_t trials, double alpha)
{
    return stat_sequence_jeffreys(successes, trials, log(alpha));
}

static stat_interval hoeffding(uint64_t successes, uint64_t trials, double alpha)
{
    return stat_sequence_hoeffding(successes, trials, log(alpha));
}

/* Deliberately wrong intervals. */
static stat_interval rash(uint64_t successes, uint64_t trials, double alpha)
{
    return stat_sequence_jeffreys(successes, trials, log(fmin(20 * alpha, 0.999)));
}

/* Valid for each number of trials, but not for all of them at once. */
static stat_interval fixed(uint64_t successes, uint64_t trials, double alpha)
{
    return stat_clopper_pearson(successes, trials, alpha);
}

/* ---- exactly ---- */

static double worst_miss(misses_sequence intervals, double alpha, uint64_t trials)
{
    return misses_worst(intervals, alpha, trials, probabilities, PROBABILITIES);
}

static void jeffreys_is_missed_rarely(void **state)
{
    (void)state;
    static const double alphas[] = {0.5, 0.1, 0.01, 1e-4, 1e-8};
    for (size_t i = 0; i < sizeof alphas / sizeof alphas[0]; i++) {
        double worst = worst_miss(jeffreys, alphas[i], MOST_TRIALS);
        assert_true(worst <= alphas[i]);
        assert_true(worst >= alphas[i] / 2); /* what is far too wide would also never miss */
    }
    assert_true(worst_miss(hoeffding, 0.1, MOST_TRIALS) <= 0.1);
}

static void wrong_intervals_are_detected(void **state)
{
    (void)state;
    assert_true(worst_miss(rash, 0.01, MOST_TRIALS) > 0.01);
    assert_true(worst_miss(fixed, 0.1, 60) > 0.1);
}

/* ---- by simulation ---- */

/*
 * Whether p is ever outside in one run of n trials. The mixture is a product that is updated with each
 * trial, so the interval is computed only if the product is near 1/alpha, and from time to time; there both
 * must agree.
 */
static bool is_ever_missed(stat_rng *rng, double p, double log_alpha, misses_sequence intervals)
{
    double wealth = 1, alpha = exp(log_alpha), near = (intervals == jeffreys ? 0.9 : 0.03) / alpha;
    uint64_t successes = 0, next = 1;
    for (uint64_t n = 1; n <= LONG; n++) {
        bool success = stat_rng_uniform(rng) < p;
        double hits = (double)(success ? successes : n - 1 - successes);
        wealth *= (hits + 0.5) / ((double)n * (success ? p : 1 - p));
        successes += success;
        if (n != next && wealth < near)
            continue;
        next = n == next ? next + next / 8 + 1 : next;
        stat_interval found = intervals(successes, n, alpha);
        bool missed = p < found.lower || p > found.upper;
        if (intervals == jeffreys && fabs(wealth * alpha - 1) > 1e-8)
            assert_int_equal(missed, wealth * alpha > 1);
        if (missed)
            return true;
    }
    return false;
}

/* Checks the number of runs that missed. It fails for a correct sequence with probability at most 1e-6. */
static bool is_kept(misses_sequence intervals, double alpha, unsigned runs, uint64_t seed)
{
    static const double tried[] = {0.003, 0.1, 0.5, 0.8};
    unsigned missed = 0;
    for (unsigned i = 0; i < runs; i++) {
        stat_rng rng;
        stat_rng_init(&rng, seed, i);
        missed += is_ever_missed(&rng, tried[i % 4], log(alpha), intervals);
    }
    return missed == 0 || stat_beta_below(alpha, missed, runs - missed + 1.0) >= 1e-6;
}

static void long_runs_are_missed_rarely(void **state)
{
    (void)state;
    uint64_t seed = random_seed(71);
    assert_true(is_kept(jeffreys, 0.1, 300, seed));
    assert_false(is_kept(rash, 0.03, 100, seed));
}

/* ---- the ends ---- */

static void ends_near_zero_and_one(void **state)
{
    (void)state;
    stat_interval none = stat_sequence_jeffreys(0, 0, -3);
    assert_true(none.lower == 0);
    assert_true(none.upper == 1);
    none = stat_sequence_hoeffding(0, 0, -3);
    assert_true(none.lower == 0);
    assert_true(none.upper == 1);
    for (uint64_t n = 1; n <= UINT64_C(1) << 53; n *= 2) {
        for (double log_alpha = -0.1; log_alpha > -500; log_alpha *= 3) {
            stat_interval never = stat_sequence_jeffreys(0, n, log_alpha);
            stat_interval always = stat_sequence_jeffreys(n, n, log_alpha);
            assert_true(never.lower == 0);
            assert_true(always.upper == 1);
            assert_true(never.upper > 0);
            assert_true(always.lower > 0);
            assert_true(stat_sequence_jeffreys(1, n, log_alpha).lower > 0);
        }
    }
    stat_interval most = stat_sequence_jeffreys(2, 3, log(1e-300));
    assert_true(most.lower > 0);
    assert_true(most.upper == 1); /* 1 - 1e-300, rounded up */
    stat_interval all = stat_sequence_jeffreys(3, 10, -INFINITY);
    assert_true(all.lower == 0);
    assert_true(all.upper == 1);
}

/* The table in docs/theory.md, "Confidence sequences": .0152, where Hoeffding's interval for a planned
 * number of trials has .0616, and that for all numbers of trials has more. */
static void widths_as_in_the_theory(void **state)
{
    (void)state;
    stat_interval found = jeffreys(10, 1000, 1e-3);
    assert_true(fabs((found.upper - found.lower) / 2 - 0.0152) < 5e-5);
    assert_true(fabs(sqrt(log(2 / 1e-3) / 2000) - 0.0616) < 5e-5);
    assert_true(fabs(hoeffding(500, 1000, 1e-3).upper - 0.5 - 0.1035) < 5e-5);
}

/*
 * More successes move both ends up, a smaller alpha moves them apart, and exchanging successes and
 * failures mirrors the interval.
 */
static void assert_orders(uint64_t s, uint64_t n, double log_alpha)
{
    stat_interval here = stat_sequence_jeffreys(s, n, log_alpha);
    stat_interval mirror = stat_sequence_jeffreys(n - s, n, log_alpha);
    stat_interval wider = stat_sequence_jeffreys(s, n, log_alpha * (1 + 1e-9));
    double share = (double)s / (double)n;
    assert_true(here.lower <= share);
    assert_true(share <= here.upper);
    assert_true(here.lower < here.upper);
    assert_true(here.lower >= 0);
    assert_true(here.upper <= 1);
    assert_true(fabs(here.lower - (1 - mirror.upper)) < 2e-15);
    assert_true(wider.lower <= here.lower);
    assert_true(here.upper <= wider.upper);
    if (s < n) {
        stat_interval next = stat_sequence_jeffreys(s + 1, n, log_alpha);
        assert_true(here.lower < next.lower);
        assert_true(here.upper <= next.upper);
    }
}

static void ends_are_in_order(void **state)
{
    (void)state;
    uint64_t random = random_seed(72);
    for (int i = 0; i < 20000; i++) {
        uint64_t n = 1 + random_u64(&random) % (UINT64_C(1) << (1 + i % 45));
        uint64_t s = i % 3 == 0 ? random_u64(&random) % 10 : random_u64(&random) % (n + 1);
        assert_orders(s < n ? s : n, n, -0.001 - 0.3 * (i % 97));
    }
}

/* Twice the trials with the same share are never wider. */
static void more_trials_are_narrower(void **state)
{
    (void)state;
    for (uint64_t s = 0; s <= 7; s++) {
        double width = 1;
        for (uint64_t factor = 1; factor < UINT64_C(1) << 50; factor *= 2) {
            stat_interval found = stat_sequence_jeffreys(s * factor, 7 * factor, -5);
            assert_true(found.upper - found.lower < width);
            width = found.upper - found.lower;
        }
    }
}

/* ---- supports ---- */

static void supports_have_a_size(void **state)
{
    (void)state;
    for (uint64_t k = 1; k <= 100000; k++) {
        assert_int_equal(stat_support_size(1 / (double)k), k);
        if (k > 1)
            assert_int_equal(stat_support_size(1 / ((double)k - 0.5)), k - 1);
    }
    assert_int_equal(stat_support_size(0.3), 3);
    assert_true(stat_support_size(1e-300) == UINT64_MAX);
}

/* (1-1/d)^n as a fraction against an alpha that is one, in integers; on either side of equality the
 * logarithm is moved by one digit. */
static void visits_are_counted_exactly(void **state)
{
    (void)state;
    for (unsigned bits = 1; bits <= 60; bits++) { /* successors · 2^-n <= 2^-bits */
        double log_alpha = -(double)bits * log(2), above = log_alpha * (1 - 1e-15);
        assert_int_equal(stat_support_visits(0.5, 1, above), bits);
        assert_int_equal(stat_support_visits(0.5, 8, above), bits + 3);
        assert_int_equal(stat_support_visits(0.5, 1, log_alpha * (1 + 1e-15)), bits + 1);
    }
    for (uint64_t n = 1, left = 4, of = 5; n <= 27; n++, left *= 4, of *= 5) { /* pmin = 1/5 */
        double log_alpha = log((double)left / (double)of);
        assert_int_equal(stat_support_visits(0.2, 1, log_alpha * (1 - 1e-14)), n);
        assert_int_equal(stat_support_visits(0.2, 1, log_alpha * (1 + 1e-14)), n + 1);
    }
    assert_int_equal(stat_support_visits(1, 1, -700), 1);
    assert_int_equal(stat_support_visits(0.5, 1, 0), 1); /* nothing is asked for */
    assert_int_equal(stat_support_visits(1e-300, 1, -1), UINT64_MAX);
    assert_int_equal(stat_support_visits(0.2, 5, log(0.05 / 24)), 35);
}

SUITE(jeffreys)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jeffreys_is_missed_rarely),
        cmocka_unit_test(wrong_intervals_are_detected),
        cmocka_unit_test(long_runs_are_missed_rarely),
        cmocka_unit_test(ends_near_zero_and_one),
        cmocka_unit_test(widths_as_in_the_theory),
        cmocka_unit_test(ends_are_in_order),
        cmocka_unit_test(more_trials_are_narrower),
        cmocka_unit_test(supports_have_a_size),
        cmocka_unit_test(visits_are_counted_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
