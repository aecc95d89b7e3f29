/* SPDX-License-Identifier: MIT */
/* The paper's chain, thousands of runs. */
#include "chain.h"

static void test_chain_is_learned_as_often_as_it_should(void **unused)
{
    (void)unused;
    check_chain(5000, 6);
}

SUITE(chain)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_is_learned_as_often_as_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
