/* SPDX-License-Identifier: MIT */
/*
 * Visits the blocks in an order that their edges permit (level_schedule.h). A block of one node without a
 * loop is evaluated once; other blocks are enclosed by sweeps (block.h). The result of a block depends only
 * on those of earlier blocks, so it does not depend on the number of threads.
 *
 * Distribution of the precision. Widths add up along a chain of blocks: if earlier values have relative
 * width a, and the block adds b, its values have a width of about a + b. Let the depth d of a block be the
 * number of swept blocks on the longest chain that ends in it, and D the greatest depth. The values of the
 * block may have a total width of d/D of the precision, so a block may use what earlier blocks did not
 * need. Single nodes add only rounding errors. With intervals, each block may add 1/D of the precision,
 * because only its bound is passed to later blocks.
 */
#include "solve/values.h"

#include <math.h>

#include "base/work.h"
#include "solve/level_schedule.h"
#include "solve/prove.h"
#include "solve/robust.h"

enum {
    POLL_COST = 1 << 20, /* work between two polls of `cancel` */
    STOP_BLOCKS = 1024,  /* blocks between two calls of the stop callback */
    BLOCK_COST = 1 << 12 /* fixed cost of a block that is swept */
};
#define SMALLEST_SHARE 2e-14 /* least width for a block; smaller ones are below the margins */

typedef struct work {
    const solve_quotient *quotient;
    const solve_value_options *options;
    solve_values *values;
    uint32_t *depth;  /* by node: depth of its block */
    uint32_t *choice; /* by node: see solve_values */
    double share;     /* width per unit of depth */
    struct worker *workers;
    unsigned worker_count;
} work;

/* Data of one thread. */
typedef struct worker {
    graph_workspace *workspace; /* the caller's for the first worker; `own` for the others */
    graph_workspace own;
    uint64_t updates; /* number of node updates */
    uint64_t spent;
    bool chose; /* whether a block has a given policy, see solve_values */
} worker;

/* Whether the block is a single node without a loop. */
static bool is_single(const solve_quotient *q, uint32_t block)
{
    uint32_t node = q->block_begin[block];
    if (q->block_begin[block + 1] - node != 1 || !q->robust)
        return q->block_begin[block + 1] - node == 1;
    for (uint32_t e = q->edge_begin[q->choice_begin[node]];
         e < q->edge_begin[q->choice_begin[node + 1]]; e++)
        if (q->target[e] == node)
            return false;
    return true;
}

/* The greatest depth of the earlier blocks that the edges of a block lead to. */
static uint32_t deepest_target(const work *w, uint32_t begin, uint32_t end)
{
    const solve_quotient *q = w->quotient;
    uint32_t e = q->edge_begin[q->choice_begin[begin]];
    uint32_t edges_end = q->edge_begin[q->choice_begin[end]], deepest = 0;
    for (; e < edges_end; e++)
        if (q->target[e] < begin && w->depth[q->target[e]] > deepest)
            deepest = w->depth[q->target[e]];
    return deepest;
}

/* Computes the depths of all blocks; returns the greatest. */
static uint32_t find_depths(const work *w)
{
    const solve_quotient *q = w->quotient;
    uint32_t largest = 0;
    for (uint32_t b = 0; b < q->block_count; b++) {
        uint32_t begin = q->block_begin[b], end = q->block_begin[b + 1];
        uint32_t depth = deepest_target(w, begin, end);
        depth += !is_single(q, b);
        for (uint32_t n = begin; n < end; n++)
            w->depth[n] = depth;
        largest = depth > largest ? depth : largest;
    }
    return largest;
}

/* A node whose edges lead to earlier blocks only. */
static void evaluate_single(const work *w, uint32_t node)
{
    const solve_quotient *q = w->quotient;
    double *lower = w->values->lower, *upper = w->values->upper;
    double low = q->complement ? HUGE_VAL : 0, high = low;
    if (q->robust) {
        uint32_t choice;
        lower[node] = upper[node] = solve_robust_best(q, node, lower, &choice);
        return;
    }
    for (uint32_t c = q->choice_begin[node]; c < q->choice_begin[node + 1]; c++) {
        double margin = solve_outer_margin(solve_choice_edges(q, c));
        double below = solve_round_below(solve_backup(q, c, lower), margin);
        double above = solve_round_above(solve_backup(q, c, upper), margin);
        if (q->complement ? below < low : below > low)
            low = below;
        if (q->complement ? above < high : above > high)
            high = above;
    }
    lower[node] = low;
    upper[node] = high;
}

/* The width that the values of a block may have. */
static double width_of(const work *w, uint32_t block)
{
    uint32_t depth = w->quotient->robust ? 1 : w->depth[w->quotient->block_begin[block]];
    return w->share * depth;
}

/* With intervals: sets the side that is not a bound to the bound. */
static void keep_bound(const work *w, uint32_t begin, uint32_t end)
{
    double *lower = w->values->lower, *upper = w->values->upper;
    for (uint32_t n = begin; n < end; n++)
        lower[n] = upper[n] = w->quotient->greatest ? upper[n] : lower[n];
}

static opac_status enclose(const work *w, worker *own, uint32_t block, opac_error *error)
{
    const solve_quotient *q = w->quotient;
    uint32_t begin = q->block_begin[block], count = q->block_begin[block + 1] - begin;
    graph_place place = graph_workspace_mark(own->workspace);
    solve_block_task task = {
        .width = width_of(w, block),
        .warm = w->options->upper != NULL && !q->complement,
        .lower = w->values->lower,
        .upper = w->values->upper,
        .choice = w->choice,
        .workspace = own->workspace,
        .saved = graph_take(own->workspace, count, sizeof(double)),
        .guess_lower = w->options->guess_lower,
        .guess_upper = w->options->guess_upper,
        .stop = w->options->stop,
        .cancel = w->options->cancel,
    };
    if (task.saved == NULL)
        return base_fail_memory(error);
    if (task.warm)
        for (uint32_t n = begin; n < begin + count; n++) {
            double known = w->options->upper[n];
            task.upper[n] = known < 1 ? (known > SOLVE_TINY ? known : SOLVE_TINY) : 1;
        }
    solve_block_init(q, block, &task.block);
    opac_status status = solve_block_enclose(&task, error);
    if (q->robust)
        keep_bound(w, begin, begin + count);
    own->updates += task.sweeps * count;
    own->chose = own->chose || (status == OPAC_OK && w->choice[begin] != GRAPH_NONE);
    graph_workspace_release(own->workspace, place);
    return status;
}

/* The first worker reports progress, which is an estimate if there are several. Polls `cancel`. */
static opac_status report_and_poll(const work *w, const worker *own, uint32_t node,
                                   opac_error *error)
{
    if (own == w->workers && w->options->progress != NULL)
        opac_progress_update(w->options->progress, node, w->quotient->node_count);
    if (opac_cancel_requested(w->options->cancel))
        return base_fail_stopped(error, w->options->cancel, "solving");
    return OPAC_OK;
}

static opac_status solve_one(void *context, uint32_t block, unsigned number, opac_error *error)
{
    const work *w = context;
    const solve_quotient *q = w->quotient;
    worker *own = &w->workers[number];
    uint32_t node = q->block_begin[block];
    if (block % STOP_BLOCKS == 0)
        solve_should_stop(w->options->stop);
    if (!is_single(q, block)) {
        own->spent += BLOCK_COST;
        TRY(enclose(w, own, block, error));
    } else {
        evaluate_single(w, node);
        w->choice[node] = GRAPH_NONE;
        own->updates++;
    }
    own->spent +=
        1 + q->edge_begin[q->choice_begin[node + 1]] - q->edge_begin[q->choice_begin[node]];
    if (own->spent >= POLL_COST) {
        own->spent = 0;
        TRY(report_and_poll(w, own, node, error));
    }
    return OPAC_OK;
}

static opac_status take_workers(work *w, graph_workspace *workspace, opac_error *error)
{
    unsigned count = 1;
    if (solve_levels_parallel(w->quotient, w->options->pool))
        count = base_pool_threads(w->options->pool);
    w->workers = graph_take(workspace, count, sizeof *w->workers);
    if (w->workers == NULL)
        return base_fail_memory(error);
    for (unsigned i = 0; i < count; i++) {
        w->workers[i] = (worker){0};
        w->workers[i].workspace = i == 0 ? workspace : &w->workers[i].own;
    }
    w->worker_count = count;
    return OPAC_OK;
}

/* Adds up the counts of the workers and frees their memory. */
static void gather_workers(const work *w)
{
    uint32_t nodes = w->quotient->node_count;
    uint64_t updates = 0;
    bool chose = false;
    for (unsigned i = 0; i < w->worker_count; i++) {
        updates += w->workers[i].updates;
        chose = chose || w->workers[i].chose;
        graph_workspace_fini(&w->workers[i].own);
    }
    w->values->choice = chose ? w->choice : NULL;
    w->values->sweeps = nodes > 0 ? updates / nodes + (updates % nodes != 0) : 0;
}

static opac_status run(work *w, graph_workspace *workspace, opac_error *error)
{
    const solve_quotient *q = w->quotient;
    w->depth = graph_take_u32(workspace, q->node_count);
    if (w->depth == NULL)
        return base_fail_memory(error);
    TRY(take_workers(w, workspace, error));
    for (uint32_t n = 0; q->robust && n < SOLVE_SETTLED; n++) {
        w->values->lower[n] = w->values->upper[n] = n == SOLVE_ONE;
        w->depth[n] = 0;
    }
    uint32_t deepest = find_depths(w);
    double share = w->options->precision / (deepest > 0 ? deepest : 1);
    w->share = 0.98 * (share > SMALLEST_SHARE ? share : SMALLEST_SHARE);
    if (w->options->progress != NULL)
        opac_progress_start(w->options->progress, "solving");
    opac_status status =
        solve_levels_visit(q, w->options->pool, w->options->cancel, solve_one, w, workspace, error);
    if (w->options->progress != NULL)
        opac_progress_finish(w->options->progress);
    gather_workers(w);
    return status;
}

opac_status solve_values_find(const solve_quotient *quotient, const solve_value_options *options,
                              graph_workspace *workspace, solve_values *values, opac_error *error)
{
    uint32_t count = quotient->node_count;
    graph_place start = graph_workspace_mark(workspace);
    *values = (solve_values){
        .lower = graph_take(workspace, count, sizeof(double)),
        .upper = graph_take(workspace, count, sizeof(double)),
    };
    work w = {.quotient = quotient, .options = options, .values = values};
    w.choice = graph_take_u32(workspace, count);
    graph_place results = graph_workspace_mark(workspace);
    opac_status status = values->lower == NULL || values->upper == NULL || w.choice == NULL
                             ? base_fail_memory(error)
                             : run(&w, workspace, error);
    if (status != OPAC_OK) {
        graph_workspace_release(workspace, start);
        return status;
    }
    graph_workspace_release(workspace, results);
    values->met = solve_is_narrow(values->lower, values->upper, 0, count, options->precision);
    return OPAC_OK;
}
