/* SPDX-License-Identifier: MIT */
/*
 * A command in a process of its own, with pipes to its standard input and from
 * its output. It leads a process group, so that all that it starts ends with it.
 * The host notices nothing: no handler, no disposition, no mask of signals is
 * changed, no descriptor reaches other programs that it starts, no zombie stays.
 */
#ifndef ENV_PROCESS_H
#define ENV_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * What processes of one command know of each other: whether one has stayed
 * after it was told to go. The others are then given less time, so that the end
 * of many takes no longer than that of one or two.
 */
typedef struct env_siblings env_siblings;

typedef struct env_process {
    pid_t pid;   /* 0: there is none */
    pid_t host;  /* who started it */
    int in, out; /* our ends of the pipes, non-blocking; -1: closed */
    env_siblings *family;
} env_process;

/* Runs the command with the shell; family NULL: the first of a new one. On failure there is
 * nothing to be ended. */
opac_status env_process_start(env_process *process, const char *command, env_siblings *family,
                              opac_error *error);

/*
 * Whether it has ended, after at most so many seconds; if so, what happened, in words that follow
 * "the simulator": "exited with status 3". It is not reaped by that. *code (may be NULL): its exit
 * status, or -1.
 */
bool env_process_has_ended(const env_process *process, double seconds, char *text, size_t size,
                           int *code);

/*
 * Ends it, with all that it has started. A polite end waits a second for it to go, after "bye" and
 * the end of its input; any other a moment. Then come signals, of which the last cannot be
 * ignored. A process of all zeros is none.
 */
void env_process_end(env_process *process, bool is_polite);

/* Whether this is a fork of the host. Then the process is not ours: nothing is said to it, and its
 * end only closes our copies of the pipes. */
bool env_process_is_foreign(const env_process *process);

#endif
