/* SPDX-License-Identifier: MIT */
/*
 * Random walks through tables like those of the learner, without counters, episodes or policy:
 *
 *     node ► slot of its alias table ► link ► node
 *
 * A single walk measures the cost of dependent loads; eight interleaved walks measure the cost when the
 * loads overlap. As in env/walk.c, the lanes are unrolled by macros, since a loop over the lanes makes them
 * wait for each other.
 */
#include <omegapac/calibration.h>
#include <omegapac/cancel.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "env/walk.h"
#include "env/walk_baseline.h"
#include "stat/alias.h"

struct env_baseline {
    uint32_t states, width;
    env_walk_node *nodes;
    stat_alias_slot *slots;
    uint32_t *links;
};

enum {
    TRIES =
        5 /* the best of several short runs counts, since other programs may slow down some of them */
};

/* ---- tables ---- */

void env_baseline_free(env_baseline *baseline)
{
    if (baseline == NULL)
        return;
    base_free(baseline->nodes);
    base_free(baseline->slots);
    base_free(baseline->links);
    base_free(baseline);
}

/* State s leads to width·s, width·s + 1, … modulo the number of states, with equal probabilities. */
static opac_status fill(env_baseline *baseline, opac_error *error)
{
    opac_status status = OPAC_OK;
    double *weights = base_alloc(baseline->width, sizeof *weights);
    if (weights == NULL)
        return base_fail_memory(error);
    for (uint32_t j = 0; j < baseline->width; j++)
        weights[j] = 1;
    for (uint32_t i = 0; i < baseline->states && status == OPAC_OK; i++) {
        uint32_t first = i * baseline->width;
        baseline->nodes[i] = (env_walk_node){.row = first, .width = baseline->width, .link = first};
        for (uint32_t j = 0; j < baseline->width; j++)
            baseline->links[first + j] = (first + j) % baseline->states;
        status = stat_alias_build(weights, baseline->width, &baseline->slots[first], error);
    }
    base_free(weights);
    return status;
}

opac_status env_baseline_new(uint32_t states, uint32_t width, env_baseline **baseline,
                             opac_error *error)
{
    *baseline = NULL;
    if (states == 0 || width == 0 || states > (UINT32_C(1) << 24) || width > 64)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "states must be from 1 to 2^24, and successors from 1 to 64");
    env_baseline *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL)
        return base_fail_memory(error);
    size_t edges = (size_t)states * width;
    made->states = states;
    made->width = width;
    made->nodes = base_alloc(states, sizeof *made->nodes);
    made->slots = base_alloc(edges, sizeof *made->slots);
    made->links = base_alloc(edges, sizeof *made->links);
    bool is_there = made->nodes != NULL && made->slots != NULL && made->links != NULL;
    opac_status status = is_there ? fill(made, error) : base_fail_memory(error);
    if (status == OPAC_OK)
        *baseline = made;
    else
        env_baseline_free(made);
    return status;
}

/* ---- walks ---- */

static inline uint32_t step(const env_baseline *baseline, uint32_t node, stat_rng *rng)
{
    const env_walk_node *at = &baseline->nodes[node];
    uint32_t branch = stat_alias_draw(&baseline->slots[at->row], at->width, rng);
    return baseline->links[at->link + branch];
}

uint32_t env_baseline_walk(const env_baseline *baseline, uint64_t seed, uint64_t steps)
{
    stat_rng rng;
    uint32_t node = 0;
    stat_rng_init(&rng, seed, 0);
    for (uint64_t i = 0; i < steps; i++)
        node = step(baseline, node, &rng);
    return node;
}

#define EACH(todo) todo(0) todo(1) todo(2) todo(3) todo(4) todo(5) todo(6) todo(7)
#define BEGIN(lane)                                                                                \
    stat_rng rng##lane;                                                                            \
    uint32_t node##lane = 0;                                                                       \
    stat_rng_init(&rng##lane, seed, lane);
#define STEP(lane) node##lane = step(baseline, node##lane, &rng##lane);
#define JOIN(lane) ^node##lane

uint32_t env_baseline_walk_eight(const env_baseline *baseline, uint64_t seed, uint64_t steps)
{
    EACH(BEGIN)
    for (uint64_t i = 0; i < steps; i++) {
        EACH(STEP)
    }
    return 0 EACH(JOIN);
}

/* ---- rates ---- */

typedef struct measurement {
    const env_baseline *baseline;
    const opac_walk_options *options;
    uint32_t ends[BASE_POOL_MAX_THREADS]; /* stored, so that no walk is optimised away */
} measurement;

static opac_status walk_one(void *context, uint64_t index, unsigned worker, opac_error *error)
{
    measurement *m = context;
    uint64_t steps = m->options->steps;
    (void)worker;
    (void)error;
    m->ends[index] = m->options->walks == 1
                         ? env_baseline_walk(m->baseline, index, steps)
                         : env_baseline_walk_eight(m->baseline, index, steps / 8);
    return OPAC_OK;
}

static opac_status measure(measurement *m, double *rate, opac_error *error)
{
    base_pool *pool;
    opac_status status = OPAC_OK;
    TRY(base_pool_new(m->options->threads, &pool, error));
    unsigned walkers = base_pool_threads(pool);
    for (int i = 0; i < TRIES && status == OPAC_OK; i++) {
        double begin = opac_clock_seconds();
        status = base_pool_for(pool, walkers, walk_one, m, NULL, error);
        double found = (double)m->options->steps * walkers / (opac_clock_seconds() - begin);
        *rate = found > *rate && m->ends[0] != UINT32_MAX ? found : *rate;
    }
    base_pool_free(pool);
    return status;
}

opac_status opac_walk_rate(const opac_walk_options *options, double *rate, opac_error *error)
{
    env_baseline *baseline;
    *rate = 0;
    if (options->walks != 1 && options->walks != 8)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "walks must be 1 or 8, not %u",
                         options->walks);
    TRY(env_baseline_new(options->states, options->successors, &baseline, error));
    measurement m = {.baseline = baseline, .options = options};
    opac_status status = measure(&m, rate, error);
    env_baseline_free(baseline);
    return status;
}

double opac_draw_rate(uint64_t draws)
{
    double most = 0;
    for (int i = 0; i < TRIES; i++) {
        stat_rng rng;
        uint64_t sum = 0;
        stat_rng_init(&rng, 1, 0);
        double begin = opac_clock_seconds();
        for (uint64_t d = 0; d < draws; d++)
            sum ^= stat_rng_next(&rng);
        double found = (double)draws / (opac_clock_seconds() - begin);
        most = found > most && sum != 0 ? found : most;
    }
    return most;
}
