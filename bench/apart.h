/* SPDX-License-Identifier: MIT */
/* A measurement in a process of its own, so that the peak of its memory is its own, too. */
#ifndef BENCH_APART_H
#define BENCH_APART_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs body(context, result) elsewhere and brings the result's bytes back; false: it failed. */
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

/* The peak of this process so far, in bytes. */
static inline double bench_peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024;
}

#endif
