/* SPDX-License-Identifier: MIT */
/* The memory of the machine, the memory of this process, and a limit on its growth. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Physical memory of the machine, in bytes; UINT64_MAX: unknown. */
uint64_t base_memory_physical(void);
/* Resident memory of this process, in bytes; 0: unknown. Takes some microseconds. */
uint64_t base_memory_used(void);

/* A limit on the growth of this process since base_meter_init. May be used by several threads. */
typedef struct base_meter {
    uint64_t before; /* bytes at base_meter_init */
    uint64_t most;   /* largest growth in bytes; 0: no limit */
    atomic_uint calls;
    atomic_bool is_full;
} base_meter;

/* most 0: nine tenths of the memory of the machine. */
void base_meter_init(base_meter *meter, uint64_t most);
/* Whether the limit was exceeded, now or before. Measures at one of 256 calls. */
bool base_meter_is_full(base_meter *meter);
/* The same, measured now. */
bool base_meter_check_now(base_meter *meter);

#endif
