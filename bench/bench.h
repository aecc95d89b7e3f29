/* SPDX-License-Identifier: MIT */
/*
 * Shared by the benchmarks: a monotonic clock and a table of ratios. Times are compared within one run
 * only, because absolute times depend on the machine.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/*
 * With BENCH_SMOKE in the environment (scripts/bench --smoke) a benchmark runs only its smallest size and a
 * hundredth of its repetitions, to test that it works. The ratios are then meaningless.
 */
static inline bool bench_is_smoke(void)
{
    return getenv("BENCH_SMOKE") != NULL;
}

/* The number of sizes to run, the smallest first. */
static inline size_t bench_sizes(size_t count)
{
    return bench_is_smoke() ? 1 : count;
}

/* The number of repetitions to run. */
static inline uint64_t bench_times(uint64_t count)
{
    return bench_is_smoke() ? count / 100 + 1 : count;
}

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

/* Prints a line: the measurement, and the ratio of its cost to that of the reference. */
static inline void bench_ratio(const char *what, const char *reference_name, double cost,
                               double reference)
{
    printf("  %-52s %8.2f x %s\n", what, cost / reference, reference_name);
}

#endif
