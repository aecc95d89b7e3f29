/* SPDX-License-Identifier: MIT */
/* Runs a measurement in a process of its own, so that its peak memory can be measured. */
#ifndef BENCH_APART_H
#define BENCH_APART_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Runs body(context, result) in a child process and copies the bytes of the result back; false if it
 * failed.
 */
static inline bool bench_apart(void (*body)(const void *context, void *result), const void *context,
                               void *result, size_t size)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        body(context, result);
        _exit(write(ends[1], result, size) == (ssize_t)size ? 0 : 1);
    }
    close(ends[1]);
    bool good = child > 0 && read(ends[0], result, size) == (ssize_t)size;
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return good;
}

/* The peak memory of this process so far, in bytes. */
static inline double bench_peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

#endif
