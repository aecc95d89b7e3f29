/* SPDX-License-Identifier: MIT */
/*
 * The memory that the algorithms of this room work in: a stack of arrays. Both
 * scratch and results come from it, so that a caller who solves thousands of
 * small problems allocates in the first one only, and none needs to release
 * results one by one:
 *
 *     graph_workspace workspace = {0};
 *     for each problem:
 *         graph_place place = graph_workspace_mark(&workspace);
 *         graph_mec_find(&process, part, &workspace, &mec, &error);
 *         … use mec …
 *         graph_workspace_release(&workspace, place);    // mec is gone
 *     graph_workspace_fini(&workspace);
 *
 * A function of this room takes its results first and then its scratch, which
 * it gives back before it returns; when it fails it gives back everything. A
 * result that must outlive others gets a workspace of its own.
 *
 *     first ──► block ──► block ──► block ──► NULL
 *               full      current   kept for later
 *
 * A workspace borrows the work (base/work.h) that the algorithms in it are counted
 * in; when it is stopped they fail, with OPAC_ERROR_CANCELLED or OPAC_ERROR_LIMIT.
 *
 * Releasing keeps the blocks. When a block kept for later is too small, it and
 * those behind it make room for one that fits: the blocks never hold more than
 * the largest use so far and a block for each take that did not fit.
 */
#ifndef GRAPH_WORKSPACE_H
#define GRAPH_WORKSPACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/bitset.h"
#include "base/error.h"
#include "base/work.h"

typedef struct graph_workspace {
    struct graph_block *first, *current;
    size_t in_use, peak; /* bytes handed out now, and at most so far */
    base_work *work;     /* borrowed; NULL: not counted */
} graph_workspace;

typedef struct graph_place {
    struct graph_block *block;
    size_t used, in_use;
} graph_place;

/* count items of size bytes, aligned for any type, not cleared; NULL when out of memory. */
void *graph_take(graph_workspace *workspace, size_t count, size_t size);
uint32_t *graph_take_u32(graph_workspace *workspace, size_t count);

/* An empty set over 0 … size-1 that dies with the workspace: no base_bitset_fini. */
opac_status graph_take_set(graph_workspace *workspace, size_t size, base_bitset *set,
                           opac_error *error);

/*
 * Where the workspace stands; releasing gives back everything taken since, and
 * with it the places marked since: last marked, first released.
 */
graph_place graph_workspace_mark(const graph_workspace *workspace);
void graph_workspace_release(graph_workspace *workspace, graph_place place);
void graph_workspace_fini(graph_workspace *workspace);

/* Counts units of work, one for a state or an edge; true: stop. */
static inline bool graph_spend(const graph_workspace *workspace, uint64_t units)
{
    return base_work_spend(workspace->work, units);
}

/* OPAC_OK, or the error of a work that was stopped. */
opac_status graph_workspace_check(const graph_workspace *workspace, opac_error *error);

#endif
