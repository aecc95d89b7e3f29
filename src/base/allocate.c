/* SPDX-License-Identifier: MIT */
/*
 * The one function that asks the C library for memory. It stands in a file of
 * its own so that a test can link another in its place.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"

void *base_allocate(void *old, size_t bytes, bool zeroed)
{
    assert(bytes > 0);
    assert(!zeroed || old == NULL);
    if (zeroed)
        return calloc(1, bytes);
    return realloc(old, bytes);
}
