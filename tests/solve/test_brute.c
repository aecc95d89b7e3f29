/* SPDX-License-Identifier: MIT */
/* Compares the solver with brute force on a few thousand processes. */
#include "solve/brute_cases.h"

static void test_brute(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    run_brute_cases(521, 500);
}

SUITE(brute)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_brute)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
