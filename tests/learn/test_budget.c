/* SPDX-License-Identifier: MIT */
/* The parts of delta never sum to more than delta. */
#include "sample/budget.h"

#include <math.h>

#include "support/check.h"
#include "support/random.h"

/* All possible rows, or many if none are declared. */
static void check_rows(double delta, bool knows_graph, bool has_trials, uint64_t rows)
{
    sample_budget b = sample_budget_of(delta, knows_graph, has_trials, rows);
    long double sum = 0;
    uint64_t last = rows > 0 ? rows : 100000;
    for (uint64_t i = 1; i <= last; i++) {
        double share = sample_budget_share(&b, i);
        assert_true(share > 0);
        assert_true(i == 1 || share <= sample_budget_share(&b, i - 1));
        sum += share;
    }
    assert_true(sum <= 1 + 1e-12L);
    assert_true(sum > 0.5L);
    assert_true((long double)b.support + b.unseen + b.interval + b.discovery + b.episodes <= delta);
    assert_true((b.support + b.unseen) + (b.interval + b.discovery) + b.episodes <= delta);
    assert_true(b.interval > 0);
    assert_int_equal(b.episodes > 0, has_trials);
    assert_int_equal(b.support > 0, !knows_graph);
    assert_true(!knows_graph || b.unseen + b.discovery == 0);
}

static void rows(void **state)
{
    (void)state;
    static const double deltas[] = {0.999, 0.5, 0.1, 1e-9, 1e-300, 5e-323};
    for (size_t i = 0; i < sizeof deltas / sizeof *deltas; i++)
        for (uint64_t declared = 0; declared < 1000; declared = 3 * declared + 1) {
            for (int known = 0; known < 2; known++) {
                check_rows(deltas[i], known, false, declared);
                if (deltas[i] / 8 > 0) /* otherwise the learner refuses */
                    check_rows(deltas[i], known, true, declared);
            }
        }
}

static void declared_rows(void **state)
{
    (void)state;
    assert_int_equal(sample_budget_rows(6, 4), 25);
    assert_int_equal(sample_budget_rows(0, 4), 0);
    assert_int_equal(sample_budget_rows(6, 0), 0);
    assert_true(sample_budget_rows(UINT64_MAX - 1, 1) == UINT64_MAX);
    assert_true(sample_budget_rows(UINT64_MAX, 1) == 0);
    assert_true(sample_budget_rows(UINT64_C(1) << 32, UINT64_C(1) << 32) == 0);
}

/* One sequence serves two successors; with three, each has its own. */
static void successors(void **state)
{
    (void)state;
    double row = log(0.01);
    assert_true(sample_budget_log_successor(row, 2, false) == row);
    for (uint32_t w = 3; w < 50; w++) {
        assert_true(w * exp(sample_budget_log_successor(row, w, false)) <= 0.01 * (1 + 1e-12));
        assert_true(w * exp(sample_budget_log_successor(row, w, true)) <= 0.02 * (1 + 1e-12));
    }
    double sum = 0;
    for (uint64_t k = 1; k < 100000; k++)
        sum += exp(sample_budget_log_discovery(row, k));
    assert_true(sum <= 0.01);
    assert_true(sum > 0.0099);
}

static void estimates(void **state)
{
    uint64_t random = random_seed(81);
    (void)state;
    for (int i = 0; i < 10000; i++) {
        double delta = ldexp(1 + (double)random_below(&random, 1000) / 1000,
                             -1 - (int)random_below(&random, 1000));
        sample_budget_estimate width = sample_budget_of_estimate(delta, true, i % 2 == 0);
        sample_budget_estimate fixed = sample_budget_of_estimate(delta, false, false);
        sample_budget_estimate both = sample_budget_of_estimate(delta, false, true);
        assert_true(width.mixture == delta);
        assert_true(width.line == 0);
        assert_true(fixed.line == delta);
        assert_true(fixed.mixture == 0);
        assert_true((long double)both.line + both.mixture <= delta);
        assert_true(both.line > 0.9 * delta);
        assert_true(both.mixture > 0);
    }
}

/* The parts with T, and those if nothing is known; and those of candidates. */
static void episodes(void **state)
{
    static const double deltas[] = {0.999, 0.5, 0.1, 1.0 / 3, 1e-9, 1e-300, 1e-320};
    (void)state;
    for (size_t i = 0; i < sizeof deltas / sizeof *deltas; i++) {
        const sample_budget with_horizon = sample_budget_with_horizon(deltas[i], 0);
        const sample_budget free = sample_budget_by_episodes(deltas[i], 0);
        assert_true((long double)with_horizon.support + with_horizon.interval +
                        with_horizon.episodes + with_horizon.verdict <=
                    deltas[i]);
        assert_true((long double)free.support + free.interval + free.episodes + free.verdict <=
                    deltas[i]);
        assert_true(free.episodes > 0.9 * deltas[i]);
    }
    const sample_budget budget = sample_budget_by_episodes(0.5, 0);
    long double sum = 0;
    for (uint64_t j = 1; j <= 100000; j++)
        sum += expl((long double)sample_budget_log_episodes(&budget, j));
    assert_true(sum <= 0.5L);
    assert_true(sum > 0.46L);
}

SUITE(budget)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(episodes),   cmocka_unit_test(rows),      cmocka_unit_test(declared_rows),
        cmocka_unit_test(successors), cmocka_unit_test(estimates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
