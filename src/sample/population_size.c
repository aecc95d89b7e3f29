/* SPDX-License-Identifier: MIT */
/* The size of batches: see population_size.h. Cost: a multiplication for each edge and step, a fraction of
 * that of the batch. */
#include "sample/population_size.h"

#include <math.h>
#include <string.h>

/* A counter gets at most so many times the observations that it has. */
#define MOST_GROWTH 31.0
/* If the first counter to become full is nearer than this, the batch goes beyond it. */
#define FAR_ENOUGH 64.0
/* Size of a batch while no counter has observations. */
#define FIRST_BATCH 1048576.0
/* The largest population of a hypergeometric draw. */
#define MOST_EPISODES 4503599627370496.0

void population_size_fini(population_size *size)
{
    base_double_vec_fini(&size->shares);
    base_double_vec_fini(&size->mass[0]);
    base_double_vec_fini(&size->mass[1]);
    base_u32_vec_fini(&size->here);
    base_u32_vec_fini(&size->next);
    base_double_vec_fini(&size->visits);
}

static opac_status clear(base_double_vec *vec, size_t count, opac_error *error)
{
    TRY(base_double_vec_reserve(vec, count, error));
    for (size_t i = 0; i < count; i++)
        vec->items[i] = 0;
    vec->count = count;
    return OPAC_OK;
}

static opac_status prepare(population_size *size, const population_graph *graph, opac_error *error)
{
    TRY(clear(&size->shares, graph->targets.count, error));
    TRY(clear(&size->mass[0], graph->nodes.count, error));
    TRY(clear(&size->mass[1], graph->nodes.count, error));
    TRY(clear(&size->visits, graph->tallies.count, error));
    TRY(base_u32_vec_reserve(&size->here, graph->nodes.count, error));
    return base_u32_vec_reserve(&size->next, graph->nodes.count, error);
}

static void fill_shares(population_size *size, const population_graph *graph,
                        const sample_statistics *stats)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const population_node *node = &graph->nodes.items[i];
        double *shares = size->shares.items + node->edge;
        if (node->row == SAMPLE_NONE) {
            shares[0] = 1;
            continue;
        }
        uint32_t counter = stats->choices.items[node->choice].counter;
        double all = (double)stats->counters.items[counter].count;
        for (uint32_t b = 0; b < node->width && all > 0; b++)
            shares[b] = (double)sample_statistics_observed(stats, counter, b) / all;
    }
}

/* ---- expected visits ---- */

static void move(population_size *size, const population_graph *graph, uint32_t number,
                 const double *mass, double *after)
{
    const population_node *node = &graph->nodes.items[number];
    size->steps += mass[number];
    if (node->tally != SAMPLE_NONE)
        size->visits.items[node->tally] += mass[number];
    for (uint32_t b = node->edge; b < node->edge + node->width; b++) {
        uint32_t target = graph->targets.items[b];
        double share = mass[number] * size->shares.items[b];
        if (target >= graph->nodes.count || share <= 0)
            continue;
        if (after[target] == 0)
            size->next.items[size->next.count++] = target;
        after[target] += share;
    }
}

static void expect_visits(population_size *size, const population_graph *graph, uint64_t horizon)
{
    size->steps = 0;
    size->next.count = 0;
    if (graph->nodes.count > 0) {
        size->mass[0].items[0] = 1;
        size->next.items[size->next.count++] = 0;
    }
    for (uint64_t t = 0; t < horizon && size->next.count > 0; t++) {
        double *mass = size->mass[t % 2].items, *after = size->mass[(t + 1) % 2].items;
        base_u32_vec here = size->here;
        size->here = size->next;
        size->next = here;
        size->next.count = 0;
        for (size_t i = 0; i < size->here.count; i++) {
            move(size, graph, size->here.items[i], mass, after);
            mass[size->here.items[i]] = 0;
        }
    }
}

/* ---- the number ---- */

/* The size for one counter, from its expected visits in an episode, its observations and those it accepts. */
static double fit_counter(double visits, double has, double remaining)
{
    double first = remaining / visits, n = 2 * first + 8;
    if (first > FAR_ENOUGH) {
        /* The standard deviation, in episodes, of a sum of numbers with mean v and size v or 1. */
        double deviation = sqrt(2 * first * fmax(1, 1 / visits));
        if (4 * deviation < first / 2)
            n = first - 4 * deviation;
    }
    return fmin(n, MOST_GROWTH * fmax(1, has) / visits);
}

static void choose_size(population_size *size, const population_graph *graph, const sample_run *run)
{
    double n = FIRST_BATCH, horizon = (double)run->horizon;
    bool is_unknown = true;
    size->first = INFINITY;
    for (size_t i = 0; i < graph->tallies.count; i++) {
        double visits = size->visits.items[i],
               remaining = (double)graph->tallies.items[i].remaining;
        if (visits <= 0)
            continue;
        double fits = fit_counter(visits, (double)run->stats.k - remaining, remaining);
        size->first = fmin(size->first, remaining / visits);
        n = is_unknown ? fits : fmin(n, fits);
        is_unknown = false;
    }
    /* A flow has at most one number for each edge and step, and one for each episode and step. */
    if (horizon * (double)graph->targets.count > SAMPLE_POPULATION_FLOWS)
        n = fmin(n, SAMPLE_POPULATION_FLOWS / horizon);
    n = fmin(n, fmin(MOST_EPISODES, 0x1p62 / horizon));
    size->n = n >= 1 ? (uint64_t)n : 1;
}

opac_status population_size_choose(population_size *size, const population_graph *graph,
                                   const sample_run *run, opac_error *error)
{
    TRY(prepare(size, graph, error));
    fill_shares(size, graph, &run->stats);
    expect_visits(size, graph, run->horizon);
    choose_size(size, graph, run);
    return OPAC_OK;
}
