/* SPDX-License-Identifier: MIT */
/* Coverage of guarantees, in a few hundred runs; test_coverage_long.c has thousands. */
#include "learn/coverage_cases.h"

static void learned_together(void **state)
{
    (void)state;
    coverage_share share = coverage_learn(1, 30, 1, 12, OPAC_SAMPLER_POPULATION);
    coverage_assert_learned(&share);
}

static void estimated(void **state)
{
    (void)state;
    coverage_share share = coverage_estimate(2, 15, 3, 15, 0);
    coverage_assert_estimated(&share);
}

static void estimated_sequentially(void **state)
{
    (void)state;
    coverage_share share = coverage_estimate(3, 15, 3, 15, 0.15);
    coverage_assert_estimated(&share);
}

/* By the published definition T = 323 would do. With it the promise is broken every time. */
static void published_time_fails(void **state)
{
    (void)state;
    enum {
        RUNS = 6
    };
    coverage_case c = coverage_counterexample();
    unsigned broken = 0;
    assert_int_equal(coverage_literal_time(&c), 323);
    for (uint64_t seed = 0; seed < RUNS; seed++)
        broken += coverage_breaks(&c, 323, 0, OPAC_SAMPLER_POPULATION, seed);
    assert_false(exact_is_kept(broken, RUNS, coverage_delta));
    coverage_fini(&c);
}

SUITE(coverage)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learned_together),
        cmocka_unit_test(estimated),
        cmocka_unit_test(estimated_sequentially),
        cmocka_unit_test(published_time_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
