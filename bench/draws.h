/* SPDX-License-Identifier: MIT */
/* Shared by benchmarks on random processes: allocation that exits on failure, random numbers, a torus. */
#ifndef BENCH_DRAWS_H
#define BENCH_DRAWS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <omegapac/error.h>

static inline void need(opac_status status)
{
    if (status != OPAC_OK) {
        fprintf(stderr, "benchmark: %s\n", opac_status_name(status));
        exit(1);
    }
}

static inline void *need_memory(void *memory)
{
    need(memory != NULL ? OPAC_OK : OPAC_ERROR_MEMORY);
    return memory;
}

static inline uint32_t draw(uint64_t *random, uint32_t bound)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(((*random >> 32) * bound) >> 32);
}

/* One of the four neighbours on a torus of rows of `width`. */
static inline uint32_t neighbour(uint32_t state, uint32_t width, uint32_t n, uint32_t direction)
{
    uint32_t step = direction % 2 == 0 ? 1 : width;
    return direction < 2 ? (state + step) % n : (state + n - step) % n;
}

#endif
