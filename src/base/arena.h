/* SPDX-License-Identifier: MIT */
/*
 * An arena: memory for many small objects that are released together. Used by parsers and translations.
 *
 *     first ──► block ──► block ──► NULL       each block: header | used | free
 *
 * Blocks double in size up to a megabyte, so an arena needs few allocations. A zeroed arena is empty.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/error.h"

typedef struct base_arena {
    struct base_arena_block *first; /* the block that is being filled */
    size_t bytes;                   /* total size of the objects, including padding */
} base_arena;

/* Allocate `count` items of `size` bytes, aligned for any type; NULL when out of memory. */
void *base_arena_alloc(base_arena *arena, size_t count, size_t size);
void *base_arena_alloc_zeroed(base_arena *arena, size_t count, size_t size);
char *base_arena_copy_text(base_arena *arena, const char *text, size_t length);
void base_arena_fini(base_arena *arena);

#endif
