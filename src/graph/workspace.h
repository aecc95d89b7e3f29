/* SPDX-License-Identifier: MIT */
/*
 * A stack allocator for the scratch and the results of the graph algorithms and the solver. A caller that
 * solves thousands of small problems allocates memory in the first one only, and does not have to free
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
 * A function of this module allocates its results first and then its scratch, which it releases before it
 * returns; if it fails, it releases everything. A result that must outlive others needs a workspace of
 * its own.
 *
 *     first ──► block ──► block ──► block ──► NULL
 *               full      current   kept for later
 *
 * A workspace borrows a work counter (base/work.h), to which the algorithms add their work. If the counter
 * stops them, they fail with OPAC_ERROR_CANCELLED or OPAC_ERROR_LIMIT.
 *
 * Releasing keeps the blocks. If a kept block is too small, it and the following ones are replaced by one
 * that is large enough. So the blocks never hold more than the largest use so far and a block for each
 * allocation that did not fit.
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
    size_t in_use, peak; /* bytes allocated now, and the maximum so far */
    base_work *work;     /* borrowed; NULL: work is not counted */
} graph_workspace;

/* A position in the stack of a workspace. */
typedef struct graph_place {
    struct graph_block *block;
    size_t used, in_use;
} graph_place;

/* Allocates count items of size bytes, aligned for any type, uninitialised; NULL if out of memory. */
void *graph_take(graph_workspace *workspace, size_t count, size_t size);
uint32_t *graph_take_u32(graph_workspace *workspace, size_t count);

/* An empty set over 0 … size-1. It belongs to the workspace and needs no base_bitset_fini. */
opac_status graph_take_set(graph_workspace *workspace, size_t size, base_bitset *set,
                           opac_error *error);

/*
 * The current position of the workspace. Releasing to it frees everything that was allocated since, and
 * invalidates the positions that were marked since.
 */
graph_place graph_workspace_mark(const graph_workspace *workspace);
void graph_workspace_release(graph_workspace *workspace, graph_place place);
void graph_workspace_fini(graph_workspace *workspace);

/* Counts units of work, one for a state or an edge; true if the algorithm must stop. */
static inline bool graph_spend(const graph_workspace *workspace, uint64_t units)
{
    return base_work_spend(workspace->work, units);
}

/* OPAC_OK, or an error if the work was stopped. */
opac_status graph_workspace_check(const graph_workspace *workspace, opac_error *error);

#endif
