/* SPDX-License-Identifier: MIT */
/* Very deep graphs do not overflow the call stack. */
#include "deep.h"

static void ten_million_states_in_a_row(void **state)
{
    (void)state;
    deep_check(10000000, false);
}

static void ten_million_states_in_a_circle(void **state)
{
    (void)state;
    deep_check(10000000, true);
}

SUITE(deepest)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_million_states_in_a_row),
        cmocka_unit_test(ten_million_states_in_a_circle),
    };
    return cmocka_run_group_tests_name("graph.deepest", tests, NULL, NULL);
}
