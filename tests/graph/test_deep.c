/* SPDX-License-Identifier: MIT */
/* Deep graphs do not overflow the call stack. */
#include "deep.h"

static void million_states_in_a_row(void **state)
{
    (void)state;
    deep_check(1000000, false);
}

static void million_states_in_a_circle(void **state)
{
    (void)state;
    deep_check(1000000, true);
}

SUITE(deep)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(million_states_in_a_row),
        cmocka_unit_test(million_states_in_a_circle),
    };
    return cmocka_run_group_tests_name("graph.deep", tests, NULL, NULL);
}
