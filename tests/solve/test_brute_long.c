/* SPDX-License-Identifier: MIT */
/* Compares the solver with brute force on tens of thousands of processes. */
#include "solve/brute_cases.h"

static void test_brute(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    run_brute_cases(522, 15000);
}

SUITE(brute_long)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_brute)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
