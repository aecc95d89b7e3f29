/* SPDX-License-Identifier: MIT */
/* Opens programs as environments, and checks that they leave no processes and descriptors. */
#ifndef TESTS_ENV_PROCESSES_H
#define TESTS_ENV_PROCESSES_H

#include <dirent.h>
#include <errno.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <omegapac/environment.h>

#include "env/env.h"
#include "support/check.h"

#define HELLO   "echo omegapac-env 1 a b; "
#define PATIENT 20.0 /* timeout in seconds for programs that answer */

/* ---- what the host sees of it ---- */

static inline int count_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL)
        return 0;
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static inline void assert_no_child(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static inline void pause_for(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

static inline opac_status open_command(const char *command, double timeout, opac_environment **env,
                                       opac_error *error)
{
    char name[4096];
    opac_environment_options options = opac_environment_defaults();
    options.timeout = timeout;
    snprintf(name, sizeof name, "exec:%s", command);
    return opac_environment_open(name, &options, env, error);
}

static inline opac_environment *open_good(const char *command)
{
    opac_environment *env;
    opac_error error = {0};
    assert_ok(open_command(command, PATIENT, &env, &error), &error);
    return env;
}

/* Opens, resets, takes two steps, waits, and resets again. */
static inline opac_status walk(const char *command, double timeout, opac_error *error)
{
    opac_environment *env;
    opac_observation seen;
    opac_status status = open_command(command, timeout, &env, error);
    if (status != OPAC_OK)
        return status;
    status = env_reset(env, 1, &seen, error);
    for (int i = 0; i < 2 && status == OPAC_OK; i++)
        status = env_step(env, 0, &seen, error);
    if (status == OPAC_OK) {
        pause_for(0.5); /* so that unrequested output of a slow program arrives */
        status = env_reset(env, 2, &seen, error);
    }
    opac_error again = {0};
    if (status != OPAC_OK) { /* every further call returns the same error */
        assert_status(env_reset(env, 3, &seen, &again), status);
        assert_string_equal(again.message, error->message);
    }
    opac_environment_free(env);
    return status;
}

typedef struct wrong {
    const char *command, *message;
} wrong;

static inline void check_wrong(const wrong *cases, size_t count, double timeout)
{
    for (size_t i = 0; i < count; i++) {
        opac_error error = {0};
        int before = count_descriptors();
        opac_status status = walk(cases[i].command, timeout, &error);
        if (strcmp(error.message, cases[i].message) != 0)
            fail_msg("%s:\n  %s\n  %s", cases[i].command, error.message, cases[i].message);
        assert_status(status, OPAC_ERROR_SIMULATOR);
        assert_no_child();
        assert_int_equal(count_descriptors(), before);
    }
}

#endif
