/* SPDX-License-Identifier: MIT */
/*
 * Runs a command in a child process, with pipes to its standard input and from its standard output. The
 * child leads a process group of its own, so that the processes it starts are ended with it. The host
 * process is not affected: no signal handler, disposition or mask is changed, no descriptor is inherited
 * by other programs that it starts, and no zombie remains.
 */
#ifndef ENV_PROCESS_H
#define ENV_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * Shared by all processes of one command: whether one of them kept running after it was asked to exit.
 * The others then get less time to exit, so that ending many processes takes no longer than ending one
 * or two.
 */
typedef struct env_siblings env_siblings;

typedef struct env_process {
    pid_t pid;  /* 0: no process */
    pid_t host; /* the process that started it */
    int in,
        out; /* the host's ends of the pipes to its input and from its output, non-blocking; -1: closed */
    env_siblings *siblings;
} env_process;

/* Runs the command with /bin/sh. siblings: those of another process of the same command, or NULL. On
 * failure nothing has to be ended. */
opac_status env_process_start(env_process *process, const char *command, env_siblings *siblings,
                              opac_error *error);

/*
 * Waits at most `seconds` for the process to end, and returns whether it has. If so, text describes how,
 * as a predicate of "the simulator" ("exited with status 3"), and *code is the exit status, or -1 if it
 * did not exit; code may be NULL. Does not reap the process.
 */
bool env_process_has_ended(const env_process *process, double seconds, char *text, size_t size,
                           int *code);

/*
 * Ends the process group. If is_graceful, waits a second for the process to exit on its own after "bye"
 * and the end of its input, else 50 ms; then sends SIGTERM and finally SIGKILL. Does nothing for a
 * zeroed process.
 */
void env_process_end(env_process *process, bool is_graceful);

/* Whether the calling process is a fork of the host. The child then still belongs to the host:
 * env_process_end only closes this process's copies of the pipes. */
bool env_process_is_foreign(const env_process *process);

#endif
