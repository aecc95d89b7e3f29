/* SPDX-License-Identifier: MIT */
/* A few kills of runs of each kind: see kill.h. */
#include "kill.h"

enum {
    KILLS = 4 /* of each kind */
};

static void test_kills(void **state)
{
    (void)state;
    uint64_t random = random_seed(63);
    for (size_t i = 0; i < KILL_CASES; i++)
        check_kills(&kill_cases[i], &random, KILLS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
