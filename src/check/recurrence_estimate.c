/* SPDX-License-Identifier: MIT */
/*
 * Run i uses random stream i of the seed, so that its time does not depend on the thread. Successors are
 * sampled in constant time (alias tables). The states seen by a run are marked with stamps that increase
 * from run to run, so that the array need not be cleared.
 */
#include "check/recurrence_estimate.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "base/work.h"
#include "graph/scc.h"
#include "stat/alias.h"
#include "stat/interval.h"

enum {
    RUNS_PER_BLOCK = 64,
    STEPS_PER_POLL = 1 << 20 /* between two polls of cancel */
};

/* The states seen by the runs of a worker. */
typedef struct memory {
    uint64_t *seen; /* by state: see stamp_state() */
    uint64_t runs;
} memory;

typedef struct simulation {
    const graph_process *process;
    const uint32_t *choice;
    uint32_t start;
    const check_estimate_options *options;
    stat_alias_slot *slots; /* by edge */
    uint32_t *size;         /* by state: size of its bottom component; 0 if transient */
    memory *memories;       /* by worker */
    unsigned workers;
    uint64_t *times; /* by run; UINT64_MAX if it has not ended */
} simulation;

/* ---- the chain ---- */

static opac_status build_tables(simulation *s, opac_error *error)
{
    const graph_process *p = s->process;
    for (uint32_t i = 0; i < p->state_count; i++) {
        if (s->choice[i] == GRAPH_NONE)
            continue;
        uint32_t begin = p->edge_begin[s->choice[i]], end = p->edge_begin[s->choice[i] + 1];
        TRY(stat_alias_build(p->prob + begin, end - begin, s->slots + begin, error));
    }
    return OPAC_OK;
}

static opac_status find_bottoms(simulation *s, graph_workspace *w, opac_error *error)
{
    base_bitset choices, bottom, trivial;
    const graph_part part = {.choices = &choices};
    graph_scc scc;
    graph_groups groups;
    TRY(graph_take_set(w, s->process->choice_count, &choices, error));
    for (uint32_t i = 0; i < s->process->state_count; i++)
        if (s->choice[i] != GRAPH_NONE)
            base_bitset_add(&choices, s->choice[i]);
    TRY(graph_scc_find(s->process, part, w, &scc, error));
    TRY(graph_scc_classify(s->process, part, &scc, w, &bottom, &trivial, error));
    TRY(graph_group_states(scc.component, s->process->state_count, scc.count, w, &groups, error));
    for (uint32_t i = 0; i < s->process->state_count; i++) {
        uint32_t c = scc.component[i];
        s->size[i] = base_bitset_has(&bottom, c) ? groups.begin[c + 1] - groups.begin[c] : 0;
    }
    return OPAC_OK;
}

/* ---- one run ---- */

/* Sets the stamp of a state; returns whether it was smaller. Stamps increase from run to run, so that the
 * array need not be cleared. */
static bool stamp_state(uint64_t *seen, uint32_t state, uint64_t stamp)
{
    bool is_new = seen[state] < stamp;
    if (is_new)
        seen[state] = stamp;
    return is_new;
}

/* The states of the component that a run has not yet seen once, and twice or in the second covering. */
typedef struct progress {
    uint64_t stamp; /* of the first visit or covering; that of the second is one more */
    uint32_t left, left_later;
    bool is_second;
} progress;

/* Records a visit in the bottom component, by the definition of the paper; returns whether the run has
 * ended. */
static bool see_literally(progress *p, uint64_t *seen, uint32_t state)
{
    if (stamp_state(seen, state, p->stamp))
        p->left--;
    else if (stamp_state(seen, state, p->stamp + 1))
        p->left_later--;
    return p->left == 0 && p->left_later == 0;
}

static bool see_covering(progress *p, uint64_t *seen, uint32_t state)
{
    if (p->is_second) {
        p->left_later -= stamp_state(seen, state, p->stamp + 1) ? 1 : 0;
        return p->left_later == 0;
    }
    p->left -= stamp_state(seen, state, p->stamp) ? 1 : 0;
    if (p->left == 0) {
        p->is_second = true;
        stamp_state(seen, state, p->stamp + 1);
        p->left_later--;
    }
    return false; /* t2 > t1 */
}

static uint32_t move(const simulation *s, uint32_t state, stat_rng *rng)
{
    const graph_process *p = s->process;
    if (s->choice[state] == GRAPH_NONE)
        return state;
    uint32_t begin = p->edge_begin[s->choice[state]], end = p->edge_begin[s->choice[state] + 1];
    return p->target[begin + stat_alias_draw(s->slots + begin, end - begin, rng)];
}

static uint64_t run_once(const simulation *s, uint64_t number, memory *m)
{
    const check_estimate_options *o = s->options;
    stat_rng rng;
    progress p = {.stamp = 2 * m->runs++ + 1};
    uint32_t state = s->start;
    stat_rng_init(&rng, o->seed, number);
    for (uint64_t t = 0; t <= o->max_steps; t++) {
        if (s->size[state] > 0) {
            if (p.left == 0 && !p.is_second && p.left_later == 0)
                p.left = p.left_later = s->size[state];
            if (o->literal ? see_literally(&p, m->seen, state) : see_covering(&p, m->seen, state))
                return t;
        }
        if (t % STEPS_PER_POLL == STEPS_PER_POLL - 1 && opac_cancel_requested(o->cancel))
            break;
        state = move(s, state, &rng);
    }
    return UINT64_MAX;
}

static opac_status run_block(void *context, uint64_t block, unsigned worker, opac_error *error)
{
    simulation *s = context;
    uint64_t begin = block * RUNS_PER_BLOCK, end = begin + RUNS_PER_BLOCK;
    if (end > s->options->samples)
        end = s->options->samples;
    for (uint64_t i = begin; i < end && !opac_cancel_requested(s->options->cancel); i++)
        s->times[i] = run_once(s, i, &s->memories[worker]);
    return opac_cancel_requested(s->options->cancel)
               ? base_fail_stopped(error, s->options->cancel, "estimating the recurrence time")
               : OPAC_OK;
}

/* ---- quantiles ---- */

/* The least number of ended runs for which the end of the interval is at least 1 - epsilon. */
static uint64_t least_count(const check_estimate_options *o, bool is_lower)
{
    uint64_t low = 0, high = o->samples + 1; /* samples + 1 if there is none */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        stat_interval i = stat_clopper_pearson(middle, o->samples, o->delta);
        if ((is_lower ? i.lower : i.upper) >= 1 - o->epsilon)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* The time by which `count` runs (at least one) have ended. */
static uint64_t time_of_rank(const simulation *s, uint64_t count)
{
    return s->times[count == 0 ? 0 : count - 1];
}

static void find_quantiles(simulation *s, check_estimate *estimate)
{
    const check_estimate_options *o = s->options;
    uint64_t n = o->samples, wanted = 0, above = least_count(o, true);
    qsort(s->times, n, sizeof *s->times, compare);
    while (wanted < n && (double)wanted < (1 - o->epsilon) * (double)n)
        wanted++;
    estimate->steps = time_of_rank(s, wanted);
    estimate->is_known = estimate->steps != UINT64_MAX;
    estimate->lower = time_of_rank(s, least_count(o, false));
    if (estimate->lower == UINT64_MAX)
        estimate->lower = o->max_steps;
    estimate->upper =
        above <= n && time_of_rank(s, above) != UINT64_MAX ? time_of_rank(s, above) : 0;
}

/* ---- the simulation ---- */

static opac_status allocate(simulation *s, unsigned workers, opac_error *error)
{
    const graph_process *p = s->process;
    s->slots = base_alloc(p->edge_count, sizeof *s->slots);
    s->size = base_alloc(p->state_count, sizeof *s->size);
    s->times = base_alloc(s->options->samples, sizeof *s->times);
    s->memories = base_alloc_zeroed(workers, sizeof *s->memories);
    if (s->slots == NULL || s->size == NULL || s->times == NULL || s->memories == NULL)
        return base_fail_memory(error);
    for (s->workers = 0; s->workers < workers; s->workers++) {
        s->memories[s->workers].seen = base_alloc_zeroed(p->state_count, sizeof(uint64_t));
        if (s->memories[s->workers].seen == NULL)
            return base_fail_memory(error);
    }
    return OPAC_OK;
}

static void simulation_fini(simulation *s)
{
    for (unsigned i = 0; i < s->workers; i++)
        base_free(s->memories[i].seen);
    base_free(s->memories);
    base_free(s->slots);
    base_free(s->size);
    base_free(s->times);
}

static opac_status simulate(simulation *s, base_pool *pool, opac_error *error)
{
    base_work work;
    graph_workspace workspace = {.work = &work};
    uint64_t blocks = (s->options->samples + RUNS_PER_BLOCK - 1) / RUNS_PER_BLOCK;
    base_work_init(&work, s->options->cancel, 0);
    TRY(allocate(s, base_pool_threads(pool), error));
    opac_status status = find_bottoms(s, &workspace, error);
    graph_workspace_fini(&workspace);
    TRY(status);
    TRY(build_tables(s, error));
    return base_pool_for(pool, blocks, run_block, s, s->options->cancel, error);
}

opac_status check_estimate_chain(const graph_process *process, const uint32_t *choice,
                                 uint32_t start, const check_estimate_options *options,
                                 check_estimate *estimate, opac_error *error)
{
    simulation s = {.process = process, .choice = choice, .start = start, .options = options};
    base_pool *pool;
    TRY(base_pool_new(options->threads, &pool, error));
    opac_progress_start(options->progress, "simulating runs");
    opac_status status = simulate(&s, pool, error);
    opac_progress_finish(options->progress);
    if (status == OPAC_OK)
        find_quantiles(&s, estimate);
    simulation_fini(&s);
    base_pool_free(pool);
    return status;
}
