/* SPDX-License-Identifier: MIT */
/* The only calls of malloc functions, in a file of their own so that tests can link a replacement. */
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
