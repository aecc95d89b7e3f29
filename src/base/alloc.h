/* SPDX-License-Identifier: MIT */
/*
 * Memory. Everything the library allocates comes from base_allocate, the one
 * place where a test can make an allocation fail (tests/support/faults.h links
 * its own version in front of this one).
 *
 * Sizes are given as count and item size, so that no caller multiplies: a
 * product that does not fit is an allocation that fails.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Resizes old (NULL: allocates) to bytes > 0; zeroed needs old == NULL. NULL when out of memory. */
void *base_allocate(void *old, size_t bytes, bool zeroed);

/* count items of size bytes; NULL when out of memory. Never NULL for a count of 0. */
void *base_alloc(size_t count, size_t size);
void *base_alloc_zeroed(size_t count, size_t size);
void base_free(void *memory);

/* Bytes copied, with a NUL behind them; NULL when out of memory. */
char *base_copy_text(const char *text, size_t length);

/*
 * Makes room for at least `needed` items of size bytes in an array that holds
 * *capacity of them, growing by half so that pushing is linear in all. On
 * failure the array is as it was.
 */
opac_status base_reserve(void **items, size_t *capacity, size_t needed, size_t size,
                         opac_error *error);

#endif
