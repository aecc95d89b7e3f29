/* SPDX-License-Identifier: MIT */
/*
 * Memory allocation. All allocations of the library go through base_allocate, so that tests can make them
 * fail (tests/support/faults.h replaces the function when linking).
 *
 * Sizes are given as a number of items and the size of an item. If the product overflows, the allocation
 * fails.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Resizes old to bytes > 0, or allocates if old is NULL; zeroed requires old == NULL. NULL when out of
 * memory. */
void *base_allocate(void *old, size_t bytes, bool zeroed);

/* Allocate `count` items of `size` bytes; NULL when out of memory. A count of 0 is valid, and not NULL. */
void *base_alloc(size_t count, size_t size);
void *base_alloc_zeroed(size_t count, size_t size);
void base_free(void *memory);

/* A copy of the bytes, followed by a NUL; NULL when out of memory. */
char *base_copy_text(const char *text, size_t length);

/*
 * Grows an array of *capacity items of `size` bytes to at least `needed` items. It grows by at least half, so
 * that n additions take time O(n). On failure the array is unchanged.
 */
opac_status base_reserve(void **items, size_t *capacity, size_t needed, size_t size,
                         opac_error *error);

#endif
