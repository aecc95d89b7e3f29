/* SPDX-License-Identifier: MIT */
/*
 * The population sampler: n episodes at once, for environments that can draw the counts of n independent
 * successors. Its result has the same distribution as that of the step sampler (docs/theory.md, Lemma 15).
 *
 *     graph of the policy ─► n ─► flows of n episodes ─► no event: count them all
 *            ▲                                       └─► else split, until one episode is left
 *            └───────────────────────────────────────────────────┘
 *
 * An event is a counter that becomes full, or a gap: a branch that no counted episode has taken yet. The
 * first episode with an event ends the batch. It is applied step by step, so that a counter gets its first
 * k observations; if it takes a gap, it is continued from there one step at a time. All episodes after it
 * are discarded. It is found by splitting: split off a part of the episodes; if the part has an event,
 * discard the others and continue with the part, else count the part and continue with the others.
 *
 * Claim: the counted episodes have the distribution of those of the step sampler. Given the flows, all
 * orders of the n episodes are equally likely, also given the flows that earlier splits revealed. A split
 * draws the flows of the first n1 episodes from their distribution given the flows of all. The choice of n1
 * may depend on everything revealed so far. So the counted episodes are those up to a stopping time, the
 * first episode with an event, which is the same stopping time as for the step sampler. Nothing about a
 * batch is drawn twice.
 *
 * Why a gap is an event: it may lead to a new state. Discarded episodes must not add states, because that
 * would affect declared bounds and the numbers of states. Thus only states of counted episodes are added.
 * There are at most as many gaps as edges, and each costs a few small batches.
 *
 * Nothing is counted before the whole batch is finished, including its last episode, and the random numbers
 * are a function of the run's seed and the number of the first episode. So an interrupted batch is drawn
 * again when the run is resumed. `halt` is polled between batches; a request to cancel also within them,
 * until the last episode finds something new.
 */
#include "sample/population.h"

#include "base/work.h"

#include <math.h>

#define STREAM 0x706f70u /* stream of the random numbers of a batch */

opac_status sample_population_new(sample_run *run, sample_population **sampler, opac_error *error)
{
    env_traits traits = env_get_traits(run->stats.env);
    *sampler = NULL;
    if (!traits.can_draw && !traits.is_tabulated)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the population sampler needs an environment that can draw many "
                         "successors of a state at once; this one cannot");
    sample_population *p = base_alloc_zeroed(1, sizeof *p);
    if (p == NULL)
        return base_fail_memory(error);
    p->run = run;
    population_flow_init(&p->flow);
    *sampler = p;
    return OPAC_OK;
}

void sample_population_free(sample_population *sampler)
{
    if (sampler == NULL)
        return;
    population_graph_fini(&sampler->graph);
    population_size_fini(&sampler->size);
    population_flow_fini(&sampler->flow);
    base_u64_vec_fini(&sampler->pending);
    sample_pending_vec_fini(&sampler->due);
    base_free(sampler);
}

/* ---- a single episode ---- */

/* The branch of a code of the flow. Its target is added if it is new. */
static opac_status resolve_branch(sample_population *p, uint32_t row, uint32_t code,
                                  uint32_t *branch, opac_error *error)
{
    sample_statistics *stats = &p->run->stats;
    const sample_row *r = &stats->rows.items[row];
    opac_observation seen;
    uint32_t state;
    *branch = code;
    if (code < POPULATION_NEW && stats->targets.items[r->begin + code] != SAMPLE_NONE)
        return OPAC_OK;
    p->found_new = true;
    if (code >= POPULATION_NEW)
        seen = population_flow_new_state(&p->flow, code);
    else
        TRY(env_branch(stats->env, r->env_row, code, &seen, error));
    TRY(sample_statistics_add_state(stats, &seen, &state, error));
    return sample_statistics_branch(stats, row, state, branch, error);
}

static opac_status count_pending(sample_population *p, opac_error *error)
{
    sample_statistics *stats = &p->run->stats;
    for (size_t i = 0; i < p->graph.nodes.count; i++) {
        const population_node *node = &p->graph.nodes.items[i];
        if (node->tally == SAMPLE_NONE)
            continue;
        uint32_t counter = stats->choices.items[node->choice].counter;
        for (uint32_t b = 0; b < node->width; b++)
            TRY(sample_statistics_observe(stats, counter, b, p->pending.items[node->edge + b],
                                          error));
    }
    p->run->episodes += p->episodes;
    p->run->steps += p->steps;
    return OPAC_OK;
}

/* Counts the pending observations of the batch, once, and then those of the single episode. */
static opac_status count_all(sample_population *p, opac_error *error)
{
    if (!p->has_counted) {
        p->has_counted = true;
        TRY(count_pending(p, error));
    }
    return sample_pending_flush(&p->run->stats, &p->due, error);
}

/* Takes a transition: adds a pending observation unless the counter is known, and finds the successor. */
static opac_status take_transition(sample_population *p, uint32_t choice, uint32_t code,
                                   uint32_t *product_state, opac_error *error)
{
    sample_statistics *stats = &p->run->stats;
    uint32_t counter = stats->choices.items[choice].counter, branch;
    TRY(resolve_branch(p, stats->counters.items[counter].row, code, &branch, error));
    if (p->due.count >= SAMPLE_MOST_PENDING)
        TRY(count_all(p, error));
    if (!stats->counters.items[counter].known)
        TRY(sample_pending_vec_push(&p->due, (sample_pending){counter, branch, SAMPLE_NO_OUTCOME},
                                    error));
    size_t product_states = stats->product_states.count;
    TRY(sample_statistics_follow(stats, choice, branch, product_state, error));
    p->found_new |= stats->product_states.count > product_states;
    return OPAC_OK;
}

/* Runs an episode from a product state at a step to its end. */
static opac_status run_episode(sample_population *p, uint64_t step, uint32_t product_state,
                               opac_error *error)
{
    sample_run *run = p->run;
    for (; step < run->horizon && !sample_run_is_absorbed(run, product_state); step++) {
        uint32_t choice = sample_run_choice(run, product_state), code;
        const sample_choice *c = &run->stats.choices.items[choice];
        if (sample_choice_is_free(c)) {
            product_state = c->target;
        } else {
            TRY(population_flow_one(&p->flow, &run->stats,
                                    run->stats.counters.items[c->counter].row, &p->rng, &code,
                                    error));
            TRY(take_transition(p, choice, code, &product_state, error));
        }
        p->walked++;
        bool is_slice = (step + 1) % SAMPLE_SLICE == 0,
             is_traceless = !p->has_counted && !p->found_new;
        if ((is_traceless || p->walked >= SAMPLE_MOST_PENDING) &&
            (is_slice ? sample_run_must_stop(run) : opac_cancel_requested(run->cancel))) {
            run->has_partial_episode |= !is_traceless;
            return base_fail_stopped(error, run->cancel, "sampling episodes");
        }
    }
    return OPAC_OK;
}

/* The code that the only episode of a flow takes at a step. */
static uint32_t find_code(const population_flow *flow, uint64_t step, uint32_t node)
{
    size_t i = flow->times.items[step], k;
    while (flow->records.items[i].node != node)
        i++;
    for (k = flow->records.items[i].begin; flow->counts.items[k] == 0;)
        k++;
    return flow->codes.items[k];
}

/* Applies a flow of one episode, step by step. */
static opac_status run_flow_episode(sample_population *p, opac_error *error)
{
    const population_flow *flow = &p->flow;
    uint32_t node = 0, product_state = p->run->stats.start;
    uint64_t step = 0;
    while (step + 1 < flow->times.count && node < p->graph.nodes.count) {
        population_node here = p->graph.nodes.items[node];
        uint32_t code = find_code(flow, step, node);
        if (here.row != SAMPLE_NONE)
            TRY(take_transition(p, here.choice, code, &product_state, error));
        else
            product_state = p->run->stats.choices.items[here.choice].target;
        step++;
        p->walked++;
        node = code < here.width ? p->graph.targets.items[here.edge + code] : POPULATION_GAP;
    }
    p->counts.singles++;
    return node == POPULATION_GAP ? run_episode(p, step, product_state, error) : OPAC_OK;
}

/* ---- many episodes ---- */

static bool must_split(const sample_population *p, const population_sum *sum)
{
    bool is = sum->gaps > 0;
    for (size_t i = 0; i < p->graph.tallies.count && !is; i++)
        is = sum->visits.items[i] >= p->graph.tallies.items[i].remaining;
    return is;
}

/* Adds n episodes without an event to the pending counts. */
static void add_batch(sample_population *p, const uint64_t *counts, const population_sum *sum,
                      uint64_t n)
{
    const population_graph *graph = &p->graph;
    for (size_t i = 0; i < p->flow.records.count; i++) {
        const population_record *record = &p->flow.records.items[i];
        const population_node *node = &graph->nodes.items[record->node];
        if (node->tally == SAMPLE_NONE)
            continue;
        for (size_t k = record->begin; k < record->begin + record->width; k++)
            if (counts[k] > 0)
                p->pending.items[node->edge + p->flow.codes.items[k]] += counts[k];
    }
    for (size_t i = 0; i < graph->tallies.count; i++)
        graph->tallies.items[i].remaining -= sum->visits.items[i];
    p->episodes += n;
    p->steps += sum->steps;
}

/*
 * Where to split: a few standard deviations before or after the expected position of the first event, so that
 * most episodes are decided at once; every fourth time in the middle, to limit the effect of bad estimates.
 */
static uint64_t choose_split(const sample_population *p, uint64_t round)
{
    const population_sum *sum = &p->flow.sum;
    double n = (double)p->flow.n, at = n, split = n / 2;
    for (size_t i = 0; i < p->graph.tallies.count; i++)
        at = fmin(at, n * (double)p->graph.tallies.items[i].remaining /
                          fmax((double)sum->visits.items[i], 1));
    bool is_gap = sum->gaps > 0 && n / (double)(sum->gaps + 1) < at;
    if (is_gap)
        at = n / (double)(sum->gaps + 1);
    double margin = is_gap ? at : 3 * sqrt(2 * at) + 1;
    if (n > 32 && round % 4 != 3) {
        if (at - margin > n / 4)
            split = at - margin;
        else if (at + margin < n * 3 / 4)
            split = at + margin;
    }
    return split >= 1 ? (uint64_t)split : 1;
}

/* The flow has an event: counts the episodes before it, and leaves the first episode with an event. */
static opac_status split(sample_population *p, opac_error *error)
{
    population_flow *flow = &p->flow;
    for (uint64_t round = 0; flow->n > 1; round++) {
        uint64_t n1 = choose_split(p, round);
        TRY(population_flow_split(flow, &p->graph, n1, &p->rng, error));
        p->counts.splits++;
        if (must_split(p, &flow->part_sum)) {
            p->counts.dropped += flow->n - n1;
            population_flow_keep_part(flow, n1);
        } else {
            add_batch(p, flow->part.items, &flow->part_sum, n1);
            population_flow_drop_part(flow, n1);
        }
        if (opac_cancel_requested(p->run->cancel))
            return base_fail_stopped(error, p->run->cancel, "sampling episodes");
    }
    return OPAC_OK;
}

static opac_status clear_pending(sample_population *p, opac_error *error)
{
    TRY(base_u64_vec_reserve(&p->pending, p->graph.targets.count, error));
    for (size_t i = 0; i < p->graph.targets.count; i++)
        p->pending.items[i] = 0;
    p->episodes = p->steps = 0;
    return OPAC_OK;
}

/* The single episode has ended. */
static opac_status finish(sample_population *p, opac_error *error)
{
    opac_status status = count_all(p, error);
    p->run->episodes++;
    p->run->steps += p->walked;
    return status;
}

static opac_status sample_many(sample_population *p, uint64_t n, opac_error *error)
{
    TRY(clear_pending(p, error));
    TRY(population_flow_draw(&p->flow, &p->graph, p->run, n, &p->rng, error));
    p->counts.batches++;
    bool is = must_split(p, &p->flow.sum);
    if (is)
        TRY(split(p, error));
    else
        add_batch(p, p->flow.counts.items, &p->flow.sum, n);
    if (is)
        TRY(run_flow_episode(p, error));
    return is ? finish(p, error) : count_all(p, error);
}

/* ---- batches ---- */

/* The first reset, which gives the initial state unless resets are random. */
static opac_status observe_start(sample_run *run, opac_error *error)
{
    opac_observation seen;
    uint32_t state = SAMPLE_NONE;
    if (run->stats.start != SAMPLE_NONE)
        return OPAC_OK;
    if (run->stats.reset_row == SAMPLE_NONE) {
        TRY(env_reset(run->stats.env, env_episode_seed(run->seed, run->episodes), &seen, error));
        TRY(sample_statistics_add_state(&run->stats, &seen, &state, error));
    }
    return sample_statistics_begin_episode(&run->stats, state, error);
}

/* Number of episodes of T steps that max_steps still allows. */
static uint64_t count_affordable(const sample_run *run)
{
    uint64_t most = run->max_steps > 0 ? run->max_steps : UINT64_MAX;
    return most > run->steps ? (most - run->steps) / run->horizon : 0;
}

static opac_status sample_batch(sample_population *p, uint64_t most, opac_error *error)
{
    uint64_t n = p->size.n < most ? p->size.n : most;
    stat_rng_init(&p->rng, env_episode_seed(p->run->seed, p->run->episodes), STREAM);
    p->due.count = 0;
    p->walked = 0;
    p->has_counted = p->found_new = false;
    if (n > 1)
        return sample_many(p, n, error);
    p->counts.walks++;
    TRY(clear_pending(p, error));
    TRY(run_episode(p, 0, p->run->stats.start, error));
    return finish(p, error);
}

opac_status sample_population_advance(sample_population *sampler, opac_error *error)
{
    sample_run *run = sampler->run;
    opac_status status = observe_start(run, error);
    while (status == OPAC_OK && run->stats.full.count == 0 &&
           sample_statistics_exceeded(&run->stats) == NULL) {
        uint64_t most = count_affordable(run);
        if (most == 0 || run->episodes >= run->limit || opac_cancel_requested(run->cancel) ||
            (run->halt != NULL && run->halt(run->halt_context)))
            break;
        status = population_graph_build(&sampler->graph, run, error);
        if (status == OPAC_OK)
            status = population_size_choose(&sampler->size, &sampler->graph, run, error);
        if (status == OPAC_OK)
            status = sample_batch(sampler, most, error);
    }
    /* A cancelled batch is discarded; the run is as before it. */
    bool is_discarded = status == OPAC_ERROR_CANCELLED && sample_run_must_stop(run) &&
                        (!sampler->has_counted || run->has_partial_episode);
    return is_discarded ? OPAC_OK : status;
}
