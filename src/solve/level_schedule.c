/* SPDX-License-Identifier: MIT */
/* A stable counting sort orders the blocks by level. */
#include "solve/level_schedule.h"

enum {
    PARALLEL_COST = 20000, /* least cost of a level for several threads: edges and nodes */
    USUAL_SWEEPS = 32,     /* assumed number of sweeps of a block */
    CHUNKS = 8             /* most chunks per thread */
};

typedef struct levels {
    const solve_quotient *quotient;
    solve_visit visit;
    void *context;
    uint32_t *order; /* blocks by level */
    uint32_t *begin; /* by level: its beginning in `order`; one more item for the end */
    uint32_t *chunk; /* beginnings of the chunks of the current level, and the end of the last */
} levels;

static uint64_t cost_of(const solve_quotient *q, uint32_t block)
{
    uint32_t begin = q->block_begin[block], end = q->block_begin[block + 1];
    return end - begin + q->edge_begin[q->choice_begin[end]] -
           q->edge_begin[q->choice_begin[begin]];
}

/*
 * Blocks of one node need a single evaluation, which is fastest in their order. So only larger blocks, which
 * need several sweeps, justify threads.
 */
bool solve_levels_parallel(const solve_quotient *quotient, const base_pool *pool)
{
    const solve_quotient *q = quotient;
    uint64_t all = (uint64_t)q->edge_count + q->node_count, swept = 0;
    if (pool == NULL || base_pool_threads(pool) == 1 || all < PARALLEL_COST)
        return false;
    for (uint32_t b = 0; b < q->block_count; b++)
        if (q->block_begin[b + 1] - q->block_begin[b] > 1)
            swept += cost_of(q, b);
    return swept >= PARALLEL_COST && USUAL_SWEEPS * swept >= all;
}

static void sort_blocks(levels *l)
{
    const solve_quotient *q = l->quotient;
    for (uint32_t i = 0; i <= q->level_count; i++)
        l->begin[i] = 0;
    for (uint32_t b = 0; b < q->block_count; b++)
        l->begin[q->level[b] + 1]++;
    for (uint32_t i = 0; i < q->level_count; i++)
        l->begin[i + 1] += l->begin[i];
    for (uint32_t b = 0; b < q->block_count; b++)
        l->order[l->begin[q->level[b]]++] = b;
    for (uint32_t i = q->level_count; i > 0; i--)
        l->begin[i] = l->begin[i - 1];
    l->begin[0] = 0;
}

static opac_status visit_range(const levels *l, uint32_t begin, uint32_t end, unsigned worker,
                               opac_error *error)
{
    for (uint32_t i = begin; i < end; i++)
        TRY(l->visit(l->context, l->order[i], worker, error));
    return OPAC_OK;
}

static opac_status visit_chunk(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    const levels *l = context;
    return visit_range(l, l->chunk[index], l->chunk[index + 1], worker, error);
}

/* Divides a level into chunks that cost at least `least`, except the last; returns their number. */
static uint32_t divide_level(levels *l, uint32_t begin, uint32_t end, uint64_t least)
{
    uint32_t count = 0;
    uint64_t cost = 0;
    l->chunk[0] = begin;
    for (uint32_t i = begin; i < end; i++) {
        cost += cost_of(l->quotient, l->order[i]);
        if (cost >= least || i + 1 == end) {
            l->chunk[++count] = i + 1;
            cost = 0;
        }
    }
    return count;
}

static opac_status visit_level(levels *l, uint32_t level, base_pool *pool,
                               const opac_cancel *cancel, opac_error *error)
{
    uint32_t begin = l->begin[level], end = l->begin[level + 1];
    uint64_t cost = 0;
    for (uint32_t i = begin; i < end; i++)
        cost += cost_of(l->quotient, l->order[i]);
    if (cost < PARALLEL_COST || end - begin == 1)
        return visit_range(l, begin, end, 0, error);
    uint32_t chunks =
        divide_level(l, begin, end, cost / ((uint64_t)CHUNKS * base_pool_threads(pool)) + 1);
    return base_pool_for(pool, chunks, visit_chunk, l, cancel, error);
}

opac_status solve_levels_visit(const solve_quotient *quotient, base_pool *pool,
                               const opac_cancel *cancel, solve_visit visit, void *context,
                               graph_workspace *workspace, opac_error *error)
{
    levels l = {.quotient = quotient, .visit = visit, .context = context};
    if (!solve_levels_parallel(quotient, pool)) {
        for (uint32_t b = 0; b < quotient->block_count; b++)
            TRY(visit(context, b, 0, error));
        return OPAC_OK;
    }
    graph_place place = graph_workspace_mark(workspace);
    l.order = graph_take_u32(workspace, quotient->block_count);
    l.begin = graph_take_u32(workspace, (size_t)quotient->level_count + 1);
    l.chunk = graph_take_u32(workspace, (size_t)quotient->block_count + 1);
    opac_status status = OPAC_OK;
    if (l.order == NULL || l.begin == NULL || l.chunk == NULL)
        TRY_OR(done, base_fail_memory(error));
    sort_blocks(&l);
    for (uint32_t i = 0; i < quotient->level_count; i++)
        TRY_OR(done, visit_level(&l, i, pool, cancel, error));
done:
    graph_workspace_release(workspace, place);
    return status;
}
