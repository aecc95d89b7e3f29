/* SPDX-License-Identifier: MIT */
/*
 * What the benchmarks share: a monotonic clock and a table of ratios. Times
 * are compared within one run only; absolute ones depend on the machine.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <time.h>

static inline double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* CPU time of this process. */
static inline double bench_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One line: what was measured, its cost beside the cost of what it is compared with. */
static inline void bench_ratio(const char *what, const char *beside, double cost, double reference)
{
    printf("  %-52s %8.2f x %s\n", what, cost / reference, beside);
}

#endif
