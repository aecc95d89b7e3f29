/* SPDX-License-Identifier: MIT */
/* How much memory there is, and how much of it this process has. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Physical memory of the machine, in bytes; UINT64_MAX: unknown. */
uint64_t base_memory_physical(void);
/* That is resident, in bytes; 0: unknown. Some microseconds. */
uint64_t base_memory_used(void);

/* A limit on how much this process grows from now on. Any number of threads may ask. */
typedef struct base_meter {
    uint64_t before, most; /* bytes; most 0: no limit */
    atomic_uint calls;
    atomic_bool is_full;
} base_meter;

/* most 0: nine tenths of the machine's memory. */
void base_meter_init(base_meter *meter, uint64_t most);
/* Whether the limit was exceeded, now or before; looks at one of 256 calls. */
bool base_meter_is_full(base_meter *meter);
/* The same, looking now. */
bool base_meter_check_now(base_meter *meter);

#endif
