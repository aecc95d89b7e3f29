/* SPDX-License-Identifier: MIT */
/*
 * Runs episodes of a tabulated environment in chunks: the environment walks through the graph of the policy
 * (step_graph.c) and counts how often each link is taken.
 *
 * If no counter becomes full in a chunk, its counts are added as sums, since the order of observations does
 * not matter then. If one does, or if a row shows a new successor (stats->rows_are_open), the
 * chunk is halved until it consists of the episode in question, which is run by step_single.c. An episode
 * that takes an unseen link is treated in the same way. So the result is that of running one episode after
 * the other, for any sizes of chunks.
 *
 * The links that were taken are found by a search from the start through taken links, so a chunk costs its
 * steps and the part of the graph that it reached. Chunks double in size as long as no such event occurs,
 * until adding them takes a small part of the time. The counts of the last chunk predict how many episodes
 * can follow before a counter becomes full.
 *
 * A long chunk is walked in slices, between which it can halt, and a slice in more pieces than there are
 * threads, so that no thread waits long for another.
 */
#include <string.h>

#include "base/prefetch.h"
#include "sample/step.h"

enum {
    LEAST = 16,                /* least number of episodes in a chunk: twice the lanes of a walk */
    LONGEST_EPISODE = 1 << 22, /* mean steps; longer ones are run singly, and can be cancelled */
    NEAR = 8,                  /* distances of prefetches, in product states */
    FAR = 24,
    PIECES = 8,        /* of a slice, for each thread */
    LEAST_PIECE = 4096 /* least number of steps in a piece */
};
static const double longest = 0.04;   /* seconds of a slice */
static const double first_rate = 1e8; /* steps per second, until it is measured */
static const double merging = 16;     /* a chunk lasts up to so many times the time to add it */

/* ---- walking ---- */

typedef struct job {
    sample_step *step;
    env_walk_graph map;
    uint64_t first, count;
    unsigned pieces;
} job;

static opac_status walk_piece(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    const job *j = context;
    sample_worker *w = &j->step->workers[worker];
    uint64_t size = j->count / j->pieces, rest = j->count % j->pieces, gap, steps = 0;
    uint64_t first = j->first + size * index + (index < rest ? index : rest);
    (void)error;
    env_walk(j->step->run->stats.env, &j->map, first, size + (index < rest), w->counters, &steps,
             &gap);
    w->steps += steps;
    w->gap = gap < w->gap ? gap : w->gap;
    return OPAC_OK;
}

/* Grows the counters to the number of links; new ones are 0. */
static opac_status make_counters(sample_worker *worker, size_t links, opac_error *error)
{
    base_u64_vec *remaining = &worker->memory;
    size_t count = links + (size_t)2 * SAMPLE_MARGIN;
    TRY(base_u64_vec_reserve(remaining, count, error));
    if (remaining->count < count) {
        memset(remaining->items + remaining->count, 0,
               (count - remaining->count) * sizeof *remaining->items);
        remaining->count = count;
    }
    worker->counters = remaining->items + SAMPLE_MARGIN;
    return OPAC_OK;
}

static opac_status make_visits(sample_step *step, opac_error *error)
{
    size_t count = step->run->stats.counters.count;
    TRY(base_u64_vec_reserve(&step->visits, count, error));
    TRY(base_u32_vec_reserve(&step->visited, count, error));
    while (step->visits.count < count)
        step->visits.items[step->visits.count++] = 0;
    return OPAC_OK;
}

static unsigned choose_pieces(const sample_step *step, uint64_t n)
{
    double most = (double)n * step->mean_length / LEAST_PIECE;
    unsigned pieces = step->threads > 1 ? PIECES * step->threads : 1;
    pieces = most < pieces ? (unsigned)most : pieces;
    pieces = pieces < n ? pieces : (unsigned)n;
    return pieces > 0 ? pieces : 1;
}

static opac_status make_stamps(sample_step *step, opac_error *error)
{
    size_t count = step->nodes.count;
    TRY(base_u32_vec_reserve(&step->stamps, count, error));
    TRY(sample_touch_vec_reserve(&step->touched, count, error));
    while (step->stamps.count < count)
        step->stamps.items[step->stamps.count++] = step->stamp;
    if (++step->stamp != 0)
        return OPAC_OK;
    for (size_t i = 0; i < count; i++) /* once in four billion chunks */
        step->stamps.items[i] = 0;
    step->stamp = 1;
    return OPAC_OK;
}

static opac_status prepare(sample_step *step, opac_error *error)
{
    TRY(sample_step_grow_graph(step, error));
    TRY(make_stamps(step, error));
    TRY(make_visits(step, error));
    for (unsigned i = 0; i < step->threads; i++) {
        TRY(make_counters(&step->workers[i], step->run->stats.links.count, error));
        step->workers[i].steps = 0;
        step->workers[i].gap = UINT64_MAX;
    }
    return OPAC_OK;
}

static uint64_t first_gap(const sample_step *step)
{
    uint64_t gap = UINT64_MAX;
    for (unsigned i = 0; i < step->threads; i++)
        gap = step->workers[i].gap < gap ? step->workers[i].gap : gap;
    return gap;
}

static opac_status walk_slice(sample_step *step, uint64_t first, uint64_t n, opac_error *error)
{
    job j = {step, sample_step_graph(step), first, n, choose_pieces(step, n)};
    return j.pieces > 1 ? base_pool_for(step->run->pool, j.pieces, walk_piece, &j, NULL, error)
                        : walk_piece(&j, 0, 0, error);
}

/* Walks n episodes, or fewer if a halt is requested or an unseen link is taken; *n is set to their number. */
static opac_status walk_chunk(sample_step *step, uint64_t slice, uint64_t *n, opac_error *error)
{
    const sample_run *run = step->run;
    uint64_t done = 0;
    TRY(prepare(step, error));
    while (done < *n && first_gap(step) == UINT64_MAX) {
        uint64_t size = slice < *n - done ? slice : *n - done;
        if (done > 0 && run->halt != NULL && run->halt(run->halt_context))
            break;
        TRY(walk_slice(step, run->episodes + done, size, error));
        done += size;
    }
    *n = done;
    return OPAC_OK;
}

/* ---- the counts of a chunk ---- */

static void touch(sample_step *step, uint32_t product_state)
{
    if (step->stamps.items[product_state] == step->stamp)
        return;
    step->stamps.items[product_state] = step->stamp;
    step->touched.items[step->touched.count++] = (sample_touch){product_state, SAMPLE_NONE};
}

/* Adds the counts of all workers for a link to those of the first one. */
static uint64_t gather(sample_step *step, uint32_t link)
{
    uint64_t *first = &step->workers[0].counters[link];
    for (unsigned i = 1; i < step->threads; i++) {
        *first += step->workers[i].counters[link];
        step->workers[i].counters[link] = 0;
    }
    return *first;
}

/* Whether a row has shown a new successor; then its draws must be counted in order. In a complete row that refutes
 * an assumption, in any order. */
static bool has_discovery(const sample_step *step)
{
    const sample_statistics *stats = &step->run->stats;
    for (size_t i = 0; stats->rows_are_open && i < step->touched.count; i++) {
        const sample_touch *at = &step->touched.items[i];
        const env_walk_node *node = &step->nodes.items[at->product_state];
        const uint64_t *counts = step->workers[0].counters + node->link;
        if (at->counter == SAMPLE_NONE || stats->counters.items[at->counter].complete)
            continue;
        for (uint32_t b = 0; b < node->width; b++)
            if (counts[b] > 0 && sample_statistics_observed(stats, at->counter, b) == 0)
                return true;
    }
    return false;
}

/* Adds the visits of a product state to those of its counter, unless that is full. */
static void tally(sample_step *step, sample_touch *at, uint64_t visits)
{
    const sample_statistics *stats = &step->run->stats;
    if (visits == 0 || step->nodes.items[at->product_state].row >= ENV_END)
        return;
    uint32_t counter = stats->choices.items[step->node_choice.items[at->product_state]].counter;
    if (sample_counter_remaining(stats, counter) == 0)
        return;
    at->counter = counter;
    if (step->visits.items[counter] == 0)
        step->visited.items[step->visited.count++] = counter;
    step->visits.items[counter] += visits;
}

/* Prefetches the data of later items of the queue. */
static void prefetch_later(const sample_step *step, size_t i)
{
    const sample_touch *touched = step->touched.items;
    if (i + NEAR < step->touched.count) {
        const env_walk_node *node = &step->nodes.items[touched[i + NEAR].product_state];
        base_prefetch(&step->workers[0].counters[node->link]);
        base_prefetch(&step->run->stats.links.items[node->link]);
    }
    if (i + FAR < step->touched.count) {
        base_prefetch(&step->nodes.items[touched[i + FAR].product_state]);
        base_prefetch(&step->node_choice.items[touched[i + FAR].product_state]);
    }
}

/* Finds the product states that the chunk visited, and sums the counts of their links and counters. */
static void collect(sample_step *step)
{
    const sample_statistics *stats = &step->run->stats;
    step->touched.count = 0;
    touch(step, stats->start);
    for (size_t i = 0; i < step->touched.count; i++) {
        sample_touch *at = &step->touched.items[i];
        const env_walk_node *node = &step->nodes.items[at->product_state];
        uint64_t visits = 0;
        prefetch_later(step, i);
        for (uint32_t link = node->link; link < node->link + node->width; link++) {
            uint64_t count = gather(step, link);
            visits += count;
            if (count > 0 && stats->links.items[link] != ENV_UNSEEN)
                touch(step, stats->links.items[link]);
        }
        tally(step, at, visits);
    }
}

/* The greatest share of its remaining observations that a counter received; 1 if it becomes full. */
static double find_largest_share(sample_step *step)
{
    double largest = 0;
    for (size_t i = 0; i < step->visited.count; i++) {
        uint32_t counter = step->visited.items[i];
        uint64_t remaining = sample_counter_remaining(&step->run->stats, counter);
        uint64_t visits = step->visits.items[counter];
        double part = visits >= remaining ? 1 : (double)visits / (double)remaining;
        largest = part > largest ? part : largest;
        step->visits.items[counter] = 0;
    }
    step->visited.count = 0;
    return largest;
}

static opac_status count(sample_step *step, const sample_touch *at, opac_error *error)
{
    env_walk_node node = step->nodes.items[at->product_state];
    const uint64_t *counts = step->workers[0].counters + node.link;
    for (uint32_t b = 0; at->counter != SAMPLE_NONE && b < node.width; b++)
        if (counts[b] > 0)
            TRY(sample_statistics_observe(&step->run->stats, at->counter, b, counts[b], error));
    return OPAC_OK;
}

/* Adds the counts to the statistics if is_merged, and sets them to zero. */
static opac_status clear_counts(sample_step *step, bool is_merged, opac_error *error)
{
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < step->touched.count; i++) {
        const sample_touch *at = &step->touched.items[i];
        const env_walk_node *node = &step->nodes.items[at->product_state];
        uint64_t *counts = step->workers[0].counters + node->link;
        prefetch_later(step, i);
        if (is_merged && status == OPAC_OK)
            status = count(step, at, error);
        memset(counts, 0, node->width * sizeof *counts);
    }
    return status;
}

/* ---- chunks ---- */

typedef struct pace {
    uint64_t size; /* of the next chunk */
    uint64_t
        gap; /* an episode that takes an unseen link, and must be run singly; UINT64_MAX: unknown */
    uint64_t
        full; /* some episode before this one fills a counter, or a row shows a new successor in it;
                      UINT64_MAX: unknown */
    double rate; /* episodes per second */
    double cost; /* seconds that adding the counts took */
} pace;

static void finish(sample_step *step, pace *at, uint64_t n, double part)
{
    uint64_t steps = 0;
    for (unsigned i = 0; i < step->threads; i++)
        steps += step->workers[i].steps;
    step->run->episodes += n;
    step->run->steps += steps;
    step->mean_length = (double)steps / (double)n;
    double safe = part > 0 ? 0.95 * (double)n * (1 - part) / part : 2.0 * (double)n;
    at->size = safe < 2.0 * (double)n ? (uint64_t)safe : 2 * n;
    at->size = at->size > 0 ? at->size : 1;
}

static opac_status walk(sample_step *step, pace *at, uint64_t n, opac_error *error)
{
    double part, begin = opac_clock_seconds(), middle;
    uint64_t slice = 1 + (uint64_t)(longest * at->rate), gap;
    TRY(walk_chunk(step, slice, &n, error));
    middle = opac_clock_seconds();
    gap = first_gap(step);
    collect(step);
    part = find_largest_share(step);
    part = has_discovery(step) ? 1 : part;
    TRY(clear_counts(step, gap == UINT64_MAX && part < 1, error));
    at->cost = opac_clock_seconds() - middle;
    if (middle - begin > 1e-4)
        at->rate = (double)n / (middle - begin);
    if (gap != UINT64_MAX)
        at->gap = gap;
    else if (part >= 1)
        at->full = step->run->episodes + n;
    else
        finish(step, at, n, part);
    return OPAC_OK;
}

/* The number of episodes of the next chunk; 0 if the next ones must be run singly. */
static uint64_t choose_episodes(const sample_step *step, pace *at)
{
    double seconds = longest > merging * at->cost ? longest : merging * at->cost;
    double most = seconds * at->rate > LEAST ? seconds * at->rate : LEAST;
    if ((double)at->size > most)
        at->size = (uint64_t)most;
    uint64_t next = step->run->episodes, n = sample_step_affordable(step, at->size);
    if (at->full <= next)
        at->full = UINT64_MAX;
    if (at->gap != UINT64_MAX && n > at->gap - next)
        n = at->gap - next;
    if (at->full != UINT64_MAX && n > (at->full - next) / 2)
        n = (at->full - next) / 2;
    bool is_worth = n >= LEAST && step->mean_length <= LONGEST_EPISODE &&
                    step->run->horizon <= SAMPLE_LONG_EPISODE;
    return is_worth ? n : 0;
}

static opac_status run_singly(sample_step *step, pace *at, uint64_t n, opac_error *error)
{
    bool found_new = false;
    for (uint64_t i = 0; i < n && !found_new; i++) {
        if (i > 0 && sample_step_must_return(step))
            break;
        TRY(sample_step_single(step, error));
        found_new = step->found_new;
    }
    at->size = found_new ? (at->size + 1) / 2 : 2 * at->size;
    if (at->gap < step->run->episodes)
        at->gap = UINT64_MAX;
    return OPAC_OK;
}

opac_status sample_step_chunks(sample_step *step, opac_error *error)
{
    pace at = {1, UINT64_MAX, UINT64_MAX, first_rate / (1 + step->mean_length), 0};
    TRY(sample_step_update_graph(step, error));
    while (!sample_step_must_return(step)) {
        uint64_t n = choose_episodes(step, &at), alone = at.size < LEAST ? at.size : LEAST;
        if (at.gap == step->run->episodes)
            alone = 1;
        if (n == 0 || step->run->stats.start == SAMPLE_NONE)
            TRY(run_singly(step, &at, alone, error));
        else
            TRY(walk(step, &at, n, error));
        sample_step_show_progress(step);
    }
    return OPAC_OK;
}

void sample_step_chunks_fini(sample_step *step)
{
    for (unsigned i = 0; step->workers != NULL && i < step->threads; i++)
        base_u64_vec_fini(&step->workers[i].memory);
    base_free(step->workers);
    sample_touch_vec_fini(&step->touched);
    base_u32_vec_fini(&step->stamps);
    base_u64_vec_fini(&step->visits);
    base_u32_vec_fini(&step->visited);
}
