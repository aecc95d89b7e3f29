/* SPDX-License-Identifier: MIT */
/* Starting other people's programs. */
#ifndef BASE_SPAWN_H
#define BASE_SPAWN_H

#include <spawn.h>
#include <sys/types.h>

/*
 * Starts the program of that path in a group of its own, so that it and all that it starts can be
 * ended together, with no signal blocked or ignored, whatever the host does with its own. Streams
 * are as the actions say. 0, or an errno.
 */
int base_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
               char *const *arguments);

#endif
