/* SPDX-License-Identifier: MIT */
/* Measures resident memory, since that is the resource that is limited. */
#include "base/memory.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    MEASURE_EVERY = 256 /* calls */
};

uint64_t base_memory_physical(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
}

/* The largest resident memory so far, for systems without /proc. */
static uint64_t peak(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_maxrss < 0)
        return 0;
    return (uint64_t)usage.ru_maxrss << 10;
}

uint64_t base_memory_used(void)
{
    unsigned long long all, resident;
    long size = sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return peak();
    int read = fscanf(file, "%llu %llu", &all, &resident);
    fclose(file);
    return read == 2 && size > 0 ? (uint64_t)resident * (uint64_t)size : peak();
}

void base_meter_init(base_meter *meter, uint64_t most)
{
    meter->before = base_memory_used();
    meter->most = most > 0 ? most : base_memory_physical() / 10 * 9;
    atomic_init(&meter->calls, 0);
    atomic_init(&meter->is_full, false);
}

bool base_meter_check_now(base_meter *meter)
{
    uint64_t used = meter->most > 0 ? base_memory_used() : 0;
    if (used > meter->before && used - meter->before > meter->most)
        atomic_store(&meter->is_full, true);
    return atomic_load_explicit(&meter->is_full, memory_order_relaxed);
}

bool base_meter_is_full(base_meter *meter)
{
    if (meter->most == 0 ||
        atomic_fetch_add_explicit(&meter->calls, 1, memory_order_relaxed) % MEASURE_EVERY != 0)
        return atomic_load_explicit(&meter->is_full, memory_order_relaxed);
    return base_meter_check_now(meter);
}
