/* SPDX-License-Identifier: MIT */
/* Bump allocation in blocks that double; amortised constant time. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

enum {
    FIRST_BLOCK = 4096,
    LARGEST_BLOCK = 1 << 20
};

typedef struct base_arena_block {
    struct base_arena_block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
} base_arena_block;

/* Adds a block of at least `needed` bytes, which is a multiple of the alignment. */
static base_arena_block *add_block(base_arena *arena, size_t needed)
{
    size_t size = arena->first != NULL ? arena->first->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    if (size < needed)
        size = needed;
    if (size > SIZE_MAX - sizeof(base_arena_block))
        return NULL;
    base_arena_block *block = base_alloc(1, sizeof(base_arena_block) + size);
    if (block == NULL)
        return NULL;
    block->next = arena->first;
    block->used = 0;
    block->size = size;
    arena->first = block;
    return block;
}

void *base_arena_alloc(base_arena *arena, size_t count, size_t size)
{
    const size_t alignment = alignof(max_align_t);
    if (size != 0 && count > (SIZE_MAX - alignment) / size)
        return NULL;
    size_t bytes = (count * size + alignment - 1) / alignment * alignment;

    base_arena_block *block = arena->first;
    if (block == NULL || bytes > block->size - block->used) {
        block = add_block(arena, bytes);
        if (block == NULL)
            return NULL;
    }
    void *memory = block->bytes + block->used;
    block->used += bytes;
    arena->bytes += bytes;
    return memory;
}

void *base_arena_alloc_zeroed(base_arena *arena, size_t count, size_t size)
{
    void *memory = base_arena_alloc(arena, count, size);
    if (memory != NULL)
        memset(memory, 0, count * size);
    return memory;
}

char *base_arena_copy_text(base_arena *arena, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? base_arena_alloc(arena, length + 1, 1) : NULL;
    if (copy == NULL)
        return NULL;
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void base_arena_fini(base_arena *arena)
{
    while (arena->first != NULL) {
        base_arena_block *next = arena->first->next;
        base_free(arena->first);
        arena->first = next;
    }
    arena->bytes = 0;
}
