/* SPDX-License-Identifier: MIT */
/* The signal mask and the ignored signals of the host are not inherited, since otherwise SIGTERM might not
 * end the program. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* environ */
#endif

#include "base/spawn.h"

#include <signal.h>
#include <unistd.h>

#ifndef __linux__ /* the headers of Linux declare it */
extern char **environ;
#endif

static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t all, none;
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    sigemptyset(&none);
    int number = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (number == 0)
        number = posix_spawnattr_setpgroup(attributes, 0);
    if (number == 0)
        number = posix_spawnattr_setsigdefault(attributes, &all);
    return number == 0 ? posix_spawnattr_setsigmask(attributes, &none) : number;
}

int base_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
               char *const *arguments)
{
    posix_spawnattr_t attributes;
    int number = posix_spawnattr_init(&attributes);
    if (number != 0)
        return number;
    number = set_attributes(&attributes);
    if (number == 0)
        number = posix_spawn(pid, path, actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    return number;
}
