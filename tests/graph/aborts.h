/* SPDX-License-Identifier: MIT */
/* Checks that an assertion catches a misuse. Builds without assertions skip the test. */
#ifndef TESTS_GRAPH_ABORTS_H
#define TESTS_GRAPH_ABORTS_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/check.h"

static inline bool has_assertions(void)
{
#ifdef NDEBUG
    return false;
#else
    return true;
#endif
}

/* Runs the misuse in a child process, whose output is discarded. */
static inline void assert_aborts(void (*mistake)(void))
{
    if (!has_assertions())
        skip();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(EXIT_FAILURE);
        mistake();
        _exit(EXIT_SUCCESS);
    }
    int status = 0;
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFSIGNALED(status));
    assert_true(WTERMSIG(status) == SIGABRT);
}

#endif
