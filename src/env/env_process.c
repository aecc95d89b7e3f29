/* SPDX-License-Identifier: MIT */
/*
 * Starts and ends the process group of a simulator. It is ended in these steps:
 *
 *     bye, end of input ── grace ──► SIGTERM ── 0.5 s ──► SIGKILL    all to the group
 *                            │                   │           │
 *                            └── it has exited ──┴───────────┴──► SIGKILL to the group, reap
 *
 * The leader of the group is reaped last: while it exists, at least as a zombie, no other process group
 * can get its number.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* pipe2 */
#endif

#include "env/env_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cancel.h"
#include "base/spawn.h"

/* Seconds to wait for the exit: after "bye"; if the process is known to ignore the previous step; after
 * SIGTERM; after SIGKILL. A process that SIGKILL does not end belongs to another user (sudo) or waits for
 * a disk that does not respond, so that wait is limited, too. */
static const double after_bye = 1, if_ignored = 0.05, after_sigterm = 0.5, after_sigkill = 5;

struct env_siblings {
    atomic_uint members;
    atomic_bool ignores_bye, ignores_signals;
};

/* ---- siblings ---- */

static env_siblings *siblings_join(env_siblings *siblings)
{
    if (siblings == NULL) {
        siblings = base_alloc_zeroed(1, sizeof *siblings);
        if (siblings == NULL)
            return NULL;
        atomic_init(&siblings->members, 0);
        atomic_init(&siblings->ignores_bye, false);
        atomic_init(&siblings->ignores_signals, false);
    }
    atomic_fetch_add(&siblings->members, 1);
    return siblings;
}

static void siblings_leave(env_siblings *siblings)
{
    if (atomic_fetch_sub(&siblings->members, 1) == 1)
        base_free(siblings);
}

/* ---- pipes ---- */

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* Opens a pipe whose ends no other program inherits. The ends are above 2, since those of the child are
 * moved to 0 and 1. */
static bool open_pipe(int ends[2])
{
#if defined(__linux__)
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
#else
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
    for (int i = 0; i < 2; i++) {
        if (ends[i] > 2)
            continue;
        int moved = fcntl(ends[i], F_DUPFD_CLOEXEC, 3);
        if (moved < 0) {
            int number = errno;
            close(ends[0]);
            close(ends[1]);
            errno = number;
            return false;
        }
        close(ends[i]);
        ends[i] = moved;
    }
    return true;
}

static bool set_non_blocking(int end)
{
    int flags = fcntl(end, F_GETFL);
    return flags >= 0 && fcntl(end, F_SETFL, flags | O_NONBLOCK) == 0;
}

/* ---- starting ---- */

/* Returns 0 or an errno. */
static int spawn_with(pid_t *pid, const char *command, posix_spawn_file_actions_t *actions,
                      int input, int output)
{
    char shell[] = "sh", option[] = "-c";
    char *arguments[] = {shell, option, (char *)command, NULL};
    int number = posix_spawn_file_actions_adddup2(actions, input, 0);
    if (number == 0)
        number = posix_spawn_file_actions_adddup2(actions, output, 1);
    return number == 0 ? base_spawn(pid, "/bin/sh", actions, arguments) : number;
}

static int spawn(pid_t *pid, const char *command, int input, int output)
{
    posix_spawn_file_actions_t actions;
    int number = posix_spawn_file_actions_init(&actions);
    if (number != 0)
        return number;
    number = spawn_with(pid, command, &actions, input, output);
    posix_spawn_file_actions_destroy(&actions);
    return number;
}

static opac_status fail_start(opac_error *error, int number)
{
    if (number == ENOMEM)
        return base_fail_memory(error);
    base_fail_system(error, number, "cannot start the simulator");
    if (error != NULL)
        error->code = OPAC_ERROR_SIMULATOR;
    return OPAC_ERROR_SIMULATOR;
}

static int connect_and_spawn(env_process *process, const char *command)
{
    int input[2], output[2];
    if (!open_pipe(input))
        return errno;
    if (!open_pipe(output)) {
        int number = errno;
        close(input[0]);
        close(input[1]);
        return number;
    }
    process->in = input[1];
    process->out = output[0];
    int number = set_non_blocking(process->in) && set_non_blocking(process->out) ? 0 : errno;
    if (number == 0)
        number = spawn(&process->pid, command, input[0], output[1]);
    close(input[0]);
    close(output[1]);
    if (number != 0) {
        close_end(&process->in);
        close_end(&process->out);
        process->pid = 0;
    }
    return number;
}

opac_status env_process_start(env_process *process, const char *command, env_siblings *siblings,
                              opac_error *error)
{
    *process = (env_process){.host = getpid(), .in = -1, .out = -1};
    process->siblings = siblings_join(siblings);
    if (process->siblings == NULL)
        return base_fail_memory(error);
    int number = connect_and_spawn(process, command);
    if (number == 0)
        return OPAC_OK;
    siblings_leave(process->siblings);
    process->siblings = NULL;
    return fail_start(error, number);
}

/* ---- state of the process ---- */

typedef enum process_state {
    IS_RUNNING,
    HAS_ENDED, /* and is a zombie */
    IS_REAPED, /* not by this file: the host ignores SIGCHLD, or waits for any child */
} process_state;

static process_state get_state(const env_process *process, siginfo_t *info)
{
    memset(info, 0, sizeof *info);
    int result;
    do
        result = waitid(P_PID, (id_t)process->pid, info, WEXITED | WNOHANG | WNOWAIT);
    while (result != 0 && errno == EINTR);
    if (result != 0)
        return IS_REAPED;
    return info->si_pid == process->pid ? HAS_ENDED : IS_RUNNING;
}

/* Discards the output, so that no full pipe keeps the process from exiting. */
static void drain(env_process *process)
{
    char bytes[4096];
    ssize_t got;
    if (process->out < 0)
        return;
    for (int i = 0; i < 16; i++) {
        got = read(process->out, bytes, sizeof bytes);
        if (got > 0)
            continue;
        if (got == 0)
            close_end(&process->out);
        return;
    }
}

/* Waits for output, at most that long; just waits if out is -1. */
static void wait_for_output(int out, double seconds)
{
    struct pollfd wait = {.fd = out, .events = POLLIN};
    poll(&wait, 1, (int)(seconds * 1000 + 0.5));
}

/* Waits for the end of the process, at most that long. */
static process_state await(env_process *process, double seconds)
{
    siginfo_t info;
    double end = opac_clock_seconds() + seconds, pause = 0.001;
    process_state found = get_state(process, &info);
    while (found == IS_RUNNING && opac_clock_seconds() < end) {
        drain(process);
        wait_for_output(process->out, pause);
        pause = pause < 0.01 ? 2 * pause : pause;
        found = get_state(process, &info);
    }
    return found;
}

static const char *signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGABRT, "SIGABRT"}, {SIGALRM, "SIGALRM"}, {SIGBUS, "SIGBUS"},
                 {SIGFPE, "SIGFPE"},   {SIGHUP, "SIGHUP"},   {SIGILL, "SIGILL"},
                 {SIGINT, "SIGINT"},   {SIGKILL, "SIGKILL"}, {SIGPIPE, "SIGPIPE"},
                 {SIGQUIT, "SIGQUIT"}, {SIGSEGV, "SIGSEGV"}, {SIGSYS, "SIGSYS"},
                 {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"}, {SIGUSR1, "SIGUSR1"},
                 {SIGUSR2, "SIGUSR2"}, {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return NULL;
}

/* A shell whose last command was killed by a signal exits with 128 plus the number of the signal. */
static void describe(const siginfo_t *info, char *text, size_t size)
{
    bool has_exited = info->si_code == CLD_EXITED;
    int number = has_exited ? info->si_status - 128 : info->si_status;
    const char *name = signal_name(number);
    if (has_exited && name != NULL)
        snprintf(text, size, "exited with status %d (as after signal %d, %s)", info->si_status,
                 number, name);
    else if (has_exited)
        snprintf(text, size, "exited with status %d", info->si_status);
    else if (name != NULL)
        snprintf(text, size, "was killed by signal %d (%s)", info->si_status, name);
    else
        snprintf(text, size, "was killed by signal %d", info->si_status);
}

bool env_process_has_ended(const env_process *process, double seconds, char *text, size_t size,
                           int *code)
{
    siginfo_t info;
    double end = opac_clock_seconds() + seconds, pause = 0.001;
    process_state found = get_state(process, &info);
    while (found == IS_RUNNING && opac_clock_seconds() < end) {
        wait_for_output(-1, pause);
        pause = pause < 0.01 ? 2 * pause : pause;
        found = get_state(process, &info);
    }
    if (code != NULL)
        *code = found == HAS_ENDED && info.si_code == CLD_EXITED ? info.si_status : -1;
    if (found == HAS_ENDED)
        describe(&info, text, size);
    if (found == IS_REAPED)
        snprintf(text, size, "has ended");
    return found != IS_RUNNING;
}

/* ---- ending ---- */

/* Sends SIGTERM, then SIGKILL. */
static process_state kill_group(env_process *process)
{
    env_siblings *siblings = process->siblings;
    double seconds = atomic_load(&siblings->ignores_signals) ? if_ignored : after_sigterm;
    kill(-process->pid, SIGTERM);
    kill(-process->pid, SIGCONT); /* in case it is stopped */
    process_state found = await(process, seconds);
    if (found != IS_RUNNING)
        return found;
    atomic_store(&siblings->ignores_signals, true);
    kill(-process->pid, SIGKILL);
    return await(process, after_sigkill);
}

bool env_process_is_foreign(const env_process *process)
{
    return process->pid != 0 && process->host != getpid();
}

void env_process_end(env_process *process, bool is_graceful)
{
    env_siblings *siblings = process->siblings;
    if (process->pid == 0)
        return;
    bool is_foreign = env_process_is_foreign(process);
    close_end(&process->in);
    bool is_patient = is_graceful && !atomic_load(&siblings->ignores_bye);
    process_state found =
        is_foreign ? IS_REAPED : await(process, is_patient ? after_bye : if_ignored);
    if (found == IS_RUNNING) {
        if (is_patient) /* else it had no time to react */
            atomic_store(&siblings->ignores_bye, true);
        found = kill_group(process);
    }
    close_end(&process->out);
    if (found == HAS_ENDED) {
        kill(-process->pid, SIGKILL);
        while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    siblings_leave(siblings);
    *process = (env_process){.in = -1, .out = -1};
}
