/* SPDX-License-Identifier: MIT */
/* A part of a text, not followed by a NUL. */
#ifndef BASE_SLICE_H
#define BASE_SLICE_H

#include <stdint.h>
#include <string.h>

#include "base/characters.h"

typedef struct base_slice {
    const char *bytes; /* borrowed */
    size_t length;
} base_slice;

static inline bool base_slice_equal(base_slice a, base_slice b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

static inline bool base_slice_is(base_slice slice, const char *text)
{
    return base_slice_equal(slice, (base_slice){text, strlen(text)});
}

/* Parses a slice that consists of digits only; false for others, and for numbers above `most`. */
static inline bool base_slice_number(base_slice slice, uint64_t most, uint64_t *number)
{
    uint64_t n = 0;
    for (size_t i = 0; i < slice.length; i++) {
        if (!base_is_digit(slice.bytes[i]))
            return false;
        uint64_t digit = (uint64_t)(slice.bytes[i] - '0');
        if (digit > most || n > (most - digit) / 10)
            return false;
        n = 10 * n + digit;
    }
    *number = n;
    return slice.length > 0;
}

#endif
