/* SPDX-License-Identifier: MIT */
/* Starts a program in a process group of its own. */
#ifndef BASE_SPAWN_H
#define BASE_SPAWN_H

#include <spawn.h>
#include <sys/types.h>

/*
 * Starts the program of that path. It leads a new process group, so that it can be ended together with the
 * processes that it starts. No signal is blocked or ignored, whatever the settings of the host. Returns 0
 * or an errno.
 */
int base_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
               char *const *arguments);

#endif
