/* SPDX-License-Identifier: MIT */
/* An allocation that fits the current block takes a few instructions. */
#include "graph/workspace.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "base/alloc.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EXACT_BLOCKS 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define EXACT_BLOCKS 1
#endif

enum {
#ifdef EXACT_BLOCKS
    SMALLEST_BLOCK = 1, /* one block for each allocation, so that the sanitizer detects overflows */
#else
    SMALLEST_BLOCK = 1 << 14,
#endif
};

typedef struct graph_block {
    struct graph_block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char bytes[];
} graph_block;

/* The link to the block after the current one. */
static graph_block **next_link(graph_workspace *workspace)
{
    return workspace->current != NULL ? &workspace->current->next : &workspace->first;
}

static void drop_blocks(graph_block **link)
{
    while (*link != NULL) {
        graph_block *next = (*link)->next;
        base_free(*link);
        *link = next;
    }
}

/* Advances to a block with `bytes` free bytes: the next one if it is large enough, or else a new one. */
static graph_block *advance(graph_workspace *workspace, size_t bytes)
{
    graph_block **link = next_link(workspace);
    if (*link == NULL || (*link)->size < bytes) {
        drop_blocks(link);
        size_t size = bytes < SMALLEST_BLOCK ? SMALLEST_BLOCK : bytes;
        if (size > SIZE_MAX - sizeof(graph_block))
            return NULL;
        graph_block *block = base_alloc(1, sizeof(graph_block) + size);
        if (block == NULL)
            return NULL;
        block->next = NULL;
        block->size = size;
        *link = block;
    }
    workspace->current = *link;
    workspace->current->used = 0;
    return workspace->current;
}

void *graph_take(graph_workspace *workspace, size_t count, size_t size)
{
    const size_t alignment = alignof(max_align_t);
    if (size != 0 && count > (SIZE_MAX - alignment) / size)
        return NULL;
    size_t bytes = (count * size + alignment - 1) / alignment * alignment;

    graph_block *block = workspace->current;
    if (block == NULL || bytes > block->size - block->used) {
        block = advance(workspace, bytes);
        if (block == NULL)
            return NULL;
    }
    void *memory = block->bytes + block->used;
    block->used += bytes;
    workspace->in_use += bytes;
    if (workspace->peak < workspace->in_use)
        workspace->peak = workspace->in_use;
    return memory;
}

uint32_t *graph_take_u32(graph_workspace *workspace, size_t count)
{
    return graph_take(workspace, count, sizeof(uint32_t));
}

opac_status graph_take_set(graph_workspace *workspace, size_t size, base_bitset *set,
                           opac_error *error)
{
    size_t words = size / 64 + (size % 64 != 0);
    *set = (base_bitset){.words = graph_take(workspace, words, sizeof *set->words), .size = size};
    if (set->words == NULL) {
        set->size = 0;
        return base_fail_memory(error);
    }
    memset(set->words, 0, words * sizeof *set->words);
    return OPAC_OK;
}

graph_place graph_workspace_mark(const graph_workspace *workspace)
{
    const graph_block *block = workspace->current;
    return (graph_place){
        .block = workspace->current,
        .used = block != NULL ? block->used : 0,
        .in_use = workspace->in_use,
    };
}

void graph_workspace_release(graph_workspace *workspace, graph_place place)
{
    assert(place.in_use <= workspace->in_use); /* otherwise an earlier position was released */
    workspace->current = place.block;
    workspace->in_use = place.in_use;
    if (place.block != NULL)
        place.block->used = place.used;
}

void graph_workspace_fini(graph_workspace *workspace)
{
    drop_blocks(&workspace->first);
    *workspace = (graph_workspace){0};
}

opac_status graph_workspace_check(const graph_workspace *workspace, opac_error *error)
{
    return base_work_is_stopped(workspace->work)
               ? base_work_fail(workspace->work, "searching the graph", error)
               : OPAC_OK;
}
