/* SPDX-License-Identifier: MIT */
/* Coverage of guarantees, in thousands of runs by both samplers, and of estimates. */
#include "learn/coverage_cases.h"

static void learned_together(void **state)
{
    (void)state;
    coverage_share share = coverage_learn(11, 400, 8, 40, OPAC_SAMPLER_POPULATION);
    coverage_assert_learned(&share);
}

static void learned_step_by_step(void **state)
{
    (void)state;
    coverage_share share = coverage_learn(12, 150, 4, 12, OPAC_SAMPLER_STEP);
    coverage_assert_learned(&share);
}

static void estimated(void **state)
{
    (void)state;
    coverage_share share = coverage_estimate(13, 300, 10, 60, 0);
    coverage_assert_estimated(&share);
}

static void estimated_sequentially(void **state)
{
    (void)state;
    coverage_share share = coverage_estimate(14, 300, 10, 60, 0.12);
    coverage_assert_estimated(&share);
}

SUITE(coverage_long)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learned_together),
        cmocka_unit_test(learned_step_by_step),
        cmocka_unit_test(estimated),
        cmocka_unit_test(estimated_sequentially),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
