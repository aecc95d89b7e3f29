/* SPDX-License-Identifier: MIT */
/*
 * Computes exact probabilities that intervals miss, by enumerating all counts of a few samples; first for
 * known sums, then for the intervals of the stat module.
 */
#include <math.h>

#include "stat/sequence.h"
#include "support/check.h"
#include "support/multinomial_miss.h"

/* Always misses, so the sum over all counts is 1. */
static void make_empty(void *context, const uint64_t *counts, size_t k, stat_interval *intervals)
{
    unsigned *calls = context;
    (void)counts;
    for (size_t i = 0; i < k; i++)
        intervals[i] = (stat_interval){2, -1};
    ++*calls;
}

/* Wrong if the first count is the number that is given, on the side of which the second one is. */
static void make_first(void *context, const uint64_t *counts, size_t k, stat_interval *intervals)
{
    const uint64_t *wanted = context;
    for (size_t i = 0; i < k; i++)
        intervals[i] = (stat_interval){0, 1};
    if (counts[0] == *wanted && k > 1)
        intervals[counts[1] % 2] = counts[1] > 1 ? (stat_interval){1, 1} : (stat_interval){0, 0};
}

static void all_counts_are_enumerated(void **state)
{
    (void)state;
    const double p[] = {0.2, 0.5, 0.01, 0.29};
    unsigned calls = 0;
    assert_true(fabs(multinomial_miss(p, 4, 12, make_empty, &calls) - 1) < 1e-12);
    assert_int_equal(calls, 455); /* (15 choose 3) */
    calls = 0;
    assert_true(fabs(multinomial_miss((const double[]){1}, 1, 7, make_empty, &calls) - 1) < 1e-13);
    assert_int_equal(calls, 1);
    const double with_zero[] = {0.5, 0, 0.5};
    assert_true(fabs(multinomial_miss(with_zero, 3, 9, make_empty, &calls) - 1) < 1e-13);
    calls = 0;
    const double two[] = {0.75, 0.25};
    assert_true(fabs(multinomial_miss(two, 2, 1000, make_empty, &calls) - 1) < 1e-12);
    assert_int_equal(calls, 1001);
}

/* The distribution of one count is binomial: 3 of 10 with probability 0.3 is 120 · 0.3^3 · 0.7^7. */
static void one_count_is_binomial(void **state)
{
    (void)state;
    const double p[] = {0.3, 0.6, 0.1};
    uint64_t three = 3;
    double expected = 120 * pow(0.3, 3) * pow(0.7, 7);
    assert_true(fabs(multinomial_miss(p, 3, 10, make_first, &three) / expected - 1) < 1e-13);
}

/* ---- intervals for all successors together ---- */

static void make_clopper_pearson(void *context, const uint64_t *counts, size_t k,
                                 stat_interval *intervals)
{
    const double *alpha = context;
    uint64_t n = 0;
    for (size_t i = 0; i < k; i++)
        n += counts[i];
    for (size_t i = 0; i < k; i++)
        intervals[i] = stat_clopper_pearson(counts[i], n, *alpha / (double)k);
}

static void make_jeffreys(void *context, const uint64_t *counts, size_t k, stat_interval *intervals)
{
    const double *alpha = context;
    uint64_t n = 0;
    for (size_t i = 0; i < k; i++)
        n += counts[i];
    for (size_t i = 0; i < k; i++)
        intervals[i] = stat_sequence_jeffreys(counts[i], n, log(*alpha / (k > 2 ? (double)k : 1)));
}

/* Too narrow: each coordinate has all of alpha. */
static void make_greedy(void *context, const uint64_t *counts, size_t k, stat_interval *intervals)
{
    double all = *(const double *)context * (double)k;
    make_clopper_pearson(&all, counts, k, intervals);
}

static const double distributions[][4] = {
    {0.5, 0.5, 0, 0}, {0.25, 0.25, 0.25, 0.25}, {0.9, 0.05, 0.05, 0}, {0.97, 0.01, 0.01, 0.01}};

static double worst_miss(interval_maker make, uint64_t n, double alpha)
{
    double worst = 0;
    for (size_t i = 0; i < sizeof distributions / sizeof distributions[0]; i++)
        worst = fmax(worst, multinomial_miss(distributions[i], 4, n, make, &alpha));
    return worst;
}

static void joint_intervals_miss_rarely(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 16; n += 3)
        assert_true(worst_miss(make_jeffreys, n, 0.2) <= 0.2);
    assert_true(worst_miss(make_clopper_pearson, 12, 0.2) <= 0.2);
}

static void narrow_intervals_are_detected(void **state)
{
    (void)state;
    double alpha = 0.2;
    assert_true(multinomial_miss(distributions[1], 4, 20, make_greedy, &alpha) > alpha);
}

/* ---- at all times ---- */

enum {
    MOST_TRIALS = 40
};

static double grid[MOST_TRIALS + 2][MOST_TRIALS + 2]; /* by the first two counts, plus 1 */

/* The probability of these counts without a miss before; set to 0 if they miss now. */
static double arrive(interval_maker make, double alpha, const double *p, uint64_t n, uint64_t x,
                     uint64_t y)
{
    const uint64_t counts[] = {x, y, n - x - y};
    stat_interval intervals[3];
    double here = grid[x][y + 1] * p[0] + grid[x + 1][y] * p[1];
    here += x + y < n ? grid[x + 1][y + 1] * p[2] : 0;
    make(&alpha, counts, 3, intervals);
    bool missed = false;
    for (int i = 0; i < 3; i++)
        missed = missed || p[i] < intervals[i].lower || p[i] > intervals[i].upper;
    grid[x + 1][y + 1] = missed ? 0 : here;
    return missed ? here : 0;
}

/* The probability that some interval of the first trials misses, of three successors; rounded up. */
static double ever_missed(interval_maker make, double alpha, const double *p, uint64_t trials)
{
    double sum = 0;
    memset(grid, 0, sizeof grid);
    grid[1][1] = 1;
    for (uint64_t n = 1; n <= trials; n++)
        for (uint64_t x = n + 1; x-- > 0;)
            for (uint64_t y = n - x + 1; y-- > 0;)
                sum += arrive(make, alpha, p, n, x, y);
    return sum * (1 + 1e-9);
}

static void three_successors_are_missed_rarely(void **state)
{
    (void)state;
    static const double three[][3] = {{0.3, 0.3, 0.4}, {0.05, 0.05, 0.9}, {0.2, 0.75, 0.05}};
    double most_union = 0;
    for (size_t i = 0; i < 3; i++)
        most_union = fmax(most_union, ever_missed(make_jeffreys, 0.2, three[i], MOST_TRIALS));
    assert_true(most_union <= 0.2);
    assert_true(most_union >= 0.05);
    assert_true(ever_missed(make_greedy, 0.2, three[0], 15) > 0.2);
}

SUITE(coverage)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_counts_are_enumerated),
        cmocka_unit_test(one_count_is_binomial),
        cmocka_unit_test(joint_intervals_miss_rarely),
        cmocka_unit_test(narrow_intervals_are_detected),
        cmocka_unit_test(three_successors_are_missed_rarely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
