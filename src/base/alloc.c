/* SPDX-License-Identifier: MIT */
/* Overflow-checked allocation and growth on top of base_allocate. */
#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes for count items, at least 1; 0 when the product does not fit. */
static size_t bytes_for(size_t count, size_t size)
{
    if (count == 0 || size == 0)
        return 1;
    return count <= SIZE_MAX / size ? count * size : 0;
}

void *base_alloc(size_t count, size_t size)
{
    size_t bytes = bytes_for(count, size);
    return bytes > 0 ? base_allocate(NULL, bytes, false) : NULL;
}

void *base_alloc_zeroed(size_t count, size_t size)
{
    size_t bytes = bytes_for(count, size);
    return bytes > 0 ? base_allocate(NULL, bytes, true) : NULL;
}

void base_free(void *memory)
{
    free(memory);
}

char *base_copy_text(const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? base_alloc(length + 1, 1) : NULL;
    if (copy == NULL)
        return NULL;
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

opac_status base_reserve(void **items, size_t *capacity, size_t needed, size_t size,
                         opac_error *error)
{
    enum {
        FIRST_CAPACITY = 8
    };

    if (needed <= *capacity)
        return OPAC_OK;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < needed)
        wanted = needed;
    if (wanted < FIRST_CAPACITY)
        wanted = FIRST_CAPACITY;
    size_t bytes = bytes_for(wanted, size);
    void *grown = bytes > 0 ? base_allocate(*items, bytes, false) : NULL;
    if (grown == NULL)
        return base_fail_memory(error);
    *items = grown;
    *capacity = wanted;
    return OPAC_OK;
}
