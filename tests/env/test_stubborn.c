/* SPDX-License-Identifier: MIT */
/* Programs that do not exit when they are told to. The test mostly waits. */
#include <errno.h>
#include <sys/wait.h>
#include <time.h>

#include <omegapac/environment.h>

#include "env/env.h"
#include "support/check.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A program that ignores "bye", the end of its input, and SIGTERM. The wait for further instances is
 * shorter than for the first. */
static void test_ignores_everything(void **state)
{
    (void)state;
    enum {
        FORKS = 8
    };
    opac_environment *env, *others[FORKS];
    opac_error error = {0};
    assert_ok(opac_environment_open(
                  "exec:trap '' TERM; echo omegapac-env 1; while :; do sleep 0.05; done", NULL,
                  &env, &error),
              &error);
    for (int i = 0; i < FORKS; i++)
        assert_ok(env_fork(env, &others[i], &error), &error);
    double begin = now();
    opac_environment_free(env);
    double first = now() - begin;
    for (int i = 0; i < FORKS; i++)
        opac_environment_free(others[i]);
    assert_true(now() - begin < 3 * first);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

SUITE(stubborn)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ignores_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
