/* SPDX-License-Identifier: MIT */
/*
 * Confidence sequences. The probability of ever missing p is computed exactly for the first trials
 * (misses.h), without sampling.
 */
#include <math.h>

#include "stat/interval.h"
#include "stat/misses.h"
#include "stat/sequence.h"
#include "support/check.h"

enum {
    MOST_TRIALS = 60,
    PROBABILITIES = 9
};

static const double probabilities[PROBABILITIES] = {0.001, 0.02, 0.1,  0.25, 0.4,
                                                    0.5,   0.7,  0.95, 0.999};

static stat_interval mixture(uint64_t successes, uint64_t trials, double alpha)
{
    return stat_sequence_mixture(successes, trials, alpha);
}

/* Planned for the last trial of the test, or for a few trials before, after which it continues. */
static stat_interval line(uint64_t successes, uint64_t trials, double alpha)
{
    return stat_sequence_line(successes, trials, sqrt(log(2 / alpha) / (2 * MOST_TRIALS)), alpha);
}

/* Half as wide. */
static stat_interval narrow_line(uint64_t successes, uint64_t trials, double alpha)
{
    stat_interval whole = line(successes, trials, alpha);
    double share = (double)successes / (double)trials;
    return (stat_interval){(whole.lower + share) / 2, (whole.upper + share) / 2};
}

/* Valid for one number of trials, but too narrow for all of them at once. */
static stat_interval clopper_pearson(uint64_t successes, uint64_t trials, double alpha)
{
    return stat_clopper_pearson(successes, trials, alpha);
}

static double worst_miss(misses_sequence intervals, double alpha)
{
    return misses_worst(intervals, alpha, MOST_TRIALS, probabilities, PROBABILITIES);
}

static void mixture_is_missed_rarely(void **state)
{
    (void)state;
    for (double alpha = 0.5; alpha > 0.004; alpha /= 10)
        assert_true(worst_miss(mixture, alpha) <= alpha);
}

static void line_is_missed_rarely(void **state)
{
    (void)state;
    for (double alpha = 0.5; alpha > 0.004; alpha /= 10)
        assert_true(worst_miss(line, alpha) <= alpha);
    assert_true(worst_miss(line, 0.5) >= 0.5 / 4);
    assert_true(worst_miss(narrow_line, 0.05) > 0.05);
}

/* Hoeffding's at the end, (e/2)(1 + N/n) before, and never inside. */
static void line_ends(void **state)
{
    (void)state;
    const double e = 0.05, planned = log(2 / 0.1) / (2 * e * e); /* 599.1 */
    stat_interval none = stat_sequence_line(0, 0, e, 0.1);
    assert_true(none.lower == 0);
    assert_true(none.upper == 1);
    for (uint64_t n = 1; n <= 1200; n++) {
        stat_interval found = stat_sequence_line(n / 3, n, e, 0.1);
        double share = (double)(n / 3) / (double)n;
        double half = (double)n >= planned ? e : e / 2 * (1 + planned / (double)n);
        assert_true(share - found.lower >= half);
        assert_true(found.upper - share >= half);
        assert_true(share - found.lower < half * (1 + 1e-8));
        assert_true(found.upper - share < half * (1 + 1e-8));
    }
}

static void mixture_is_not_too_wide(void **state)
{
    (void)state;
    double alpha = 0.1; /* a sequence that is far too wide would also never miss */
    assert_true(worst_miss(mixture, alpha) >= alpha / 4);
}

static void fixed_intervals_are_detected(void **state)
{
    (void)state;
    double alpha = 0.1;
    assert_true(worst_miss(clopper_pearson, alpha) > alpha);
}

/* (n+1) P(X) against alpha, in long double and from the definition. */
static bool contains(uint64_t successes, uint64_t trials, double alpha, long double p)
{
    long double log_density = lgammal((long double)trials + 1) -
                              lgammal((long double)successes + 1) -
                              lgammal((long double)(trials - successes) + 1);
    if (successes > 0)
        log_density += (long double)successes * logl(p);
    if (successes < trials)
        log_density += (long double)(trials - successes) * log1pl(-p);
    return logl((long double)trials + 1) + log_density > logl((long double)alpha);
}

static void assert_ends(uint64_t successes, uint64_t trials, double alpha)
{
    stat_interval found = stat_sequence_mixture(successes, trials, alpha);
    double share = (double)successes / (double)trials, step = 1e-6;
    assert_true(found.lower <= share);
    assert_true(share <= found.upper);
    assert_true(found.lower >= 0);
    assert_true(found.upper <= 1);
    if (successes == 0) {
        assert_true(found.lower == 0);
    } else {
        assert_false(contains(successes, trials, alpha, (long double)found.lower));
        assert_true(contains(successes, trials, alpha,
                             (long double)(found.lower + step * (share - found.lower))));
    }
    if (successes == trials) {
        assert_true(found.upper == 1);
    } else {
        assert_false(contains(successes, trials, alpha, (long double)found.upper));
        assert_true(contains(successes, trials, alpha,
                             (long double)(found.upper - step * (found.upper - share))));
    }
}

static void mixture_ends(void **state)
{
    (void)state;
    static const double alphas[] = {0.9, 0.1, 1e-3, 1e-12};
    for (size_t i = 0; i < 4; i++) {
        for (uint64_t n = 1; n <= 12; n++)
            for (uint64_t x = 0; x <= n; x++)
                assert_ends(x, n, alphas[i]);
        assert_ends(0, 100000, alphas[i]);
        assert_ends(1, 100000, alphas[i]);
        assert_ends(31415, 100000, alphas[i]);
        assert_ends(99999, 100000, alphas[i]);
    }
    stat_interval none = stat_sequence_mixture(0, 0, 0.1);
    assert_true(none.lower == 0);
    assert_true(none.upper == 1);
}

/* Where the textbook formula has no digits left: against the normal approximation. */
static void mixture_of_many_trials(void **state)
{
    (void)state;
    uint64_t n = UINT64_C(1) << 50;
    stat_interval found = stat_sequence_mixture(n / 4, n, 0.05);
    double variance = 0.25 * 0.75 / (double)n;
    double expected = sqrt(-2 * variance * log(0.05 * sqrt(2 * 3.14159265358979 * variance)));
    assert_true(fabs((0.25 - found.lower) / expected - 1) < 1e-5);
    assert_true(fabs((found.upper - 0.25) / expected - 1) < 1e-5);
}

SUITE(sequence)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixture_is_missed_rarely),     cmocka_unit_test(mixture_is_not_too_wide),
        cmocka_unit_test(line_is_missed_rarely),        cmocka_unit_test(line_ends),
        cmocka_unit_test(fixed_intervals_are_detected), cmocka_unit_test(mixture_ends),
        cmocka_unit_test(mixture_of_many_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
