/* SPDX-License-Identifier: MIT */
/*
 * One episode of a tabulated environment: a walk through the graph of the policy (step_graph.c) from one
 * unseen link to the next, where new states are added and nodes are built. So it costs a few nanoseconds
 * for each step, and a constant for each state or node that is new under the policy.
 *
 * The walk lists the links of counters that accept observations in the order of time, so episodes in which
 * a counter becomes full are run in this way too. Links of counters that turn out to be full are closed:
 * they are not listed any more.
 */
#include "base/prefetch.h"
#include "base/work.h"
#include "sample/step.h"

enum {
    NEAR = 8, /* distances of prefetches, in links */
    FAR = 24,
    SLICE = 65536 /* steps between two polls of the cancel handle */
};

/* Adds pending observations for the links that were taken. */
static opac_status observe_taken(sample_step *step, const env_walk_cursor *trail, opac_error *error)
{
    const sample_statistics *stats = &step->run->stats;
    for (size_t i = 0; i < trail->count; i++) {
        uint32_t link = trail->taken[i];
        if (i + FAR < trail->count)
            base_prefetch(&step->link_choice.items[trail->taken[i + FAR]]);
        if (i + NEAR < trail->count)
            base_prefetch(&stats->choices.items[step->link_choice.items[trail->taken[i + NEAR]]]);
        const sample_choice *c = &stats->choices.items[step->link_choice.items[link]];
        if (sample_counter_remaining(stats, c->counter) == 0)
            step->link_open.items[link] = 0;
        else
            TRY(sample_step_observe(step, c->counter, link - c->link, SAMPLE_NO_OUTCOME, error));
    }
    return OPAC_OK;
}

/* After an unseen link: the product state where the episode continues. */
static opac_status resolve_unseen(sample_step *step, const env_walk_cursor *trail,
                                  const opac_observation *seen, uint32_t *product_state,
                                  uint64_t *left, opac_error *error)
{
    uint32_t branch;
    if (trail->link != step->gap)
        return sample_step_resolve(step, step->link_choice.items[trail->link], seen, &branch,
                                   product_state, error);
    /* The link of a node that was not built: the episode has not left it, and the node is built now. */
    *product_state = trail->from;
    ++*left;
    step->found_new = true;
    return sample_step_build_node(step, *product_state, error);
}

/* A random reset is the first step of an episode; it was requested by sample_step_begin. */
static opac_status take_reset(sample_step *step, const opac_observation *seen,
                              uint32_t *product_state, uint64_t *left, opac_error *error)
{
    const sample_statistics *stats = &step->run->stats;
    uint32_t choice = sample_run_choice(step->run, stats->start), branch;
    const sample_choice *c = &stats->choices.items[choice];
    *product_state = stats->start;
    if (sample_choice_is_free(c) || c->action != SAMPLE_NONE || *left == 0 ||
        sample_run_ends_at(step->run, *product_state))
        return OPAC_OK;
    if (step->node_choice.count <= *product_state ||
        step->node_choice.items[*product_state] == SAMPLE_NONE)
        TRY(sample_step_build_node(step, *product_state, error));
    TRY(sample_step_resolve(step, choice, seen, &branch, product_state, error));
    --*left;
    return sample_step_observe(step, stats->choices.items[choice].counter, branch,
                               SAMPLE_NO_OUTCOME, error);
}

/* Walks to the next unseen link or the end of a slice. *is_over: the episode has ended. */
static opac_status walk_slice(sample_step *step, opac_observation *seen, uint32_t *product_state,
                              uint64_t *left, bool *is_over, opac_error *error)
{
    env_walk_cursor trail = {.node = *product_state,
                             .taken = step->taken_links.items,
                             .capacity = step->taken_links.capacity};
    TRY(sample_step_grow_graph(step, error));
    env_walk_graph map = sample_step_graph(step);
    trail.watched = step->link_open.items;
    env_walk_single(step->run->stats.env, &map, *left < SLICE ? *left : SLICE, &trail, seen);
    *left -= trail.steps;
    TRY(observe_taken(step, &trail, error));
    if (trail.node == ENV_UNSEEN)
        return resolve_unseen(step, &trail, seen, product_state, left, error);
    *product_state = trail.node;
    *is_over = *left == 0 || step->nodes.items[*product_state].row == ENV_END;
    return OPAC_OK;
}

static opac_status walk_episode(sample_step *step, opac_observation *seen, uint64_t *left,
                                opac_error *error)
{
    uint32_t product_state;
    bool is_over = false;
    TRY(base_u32_vec_reserve(&step->taken_links, *left < SLICE ? *left : SLICE, error));
    TRY(take_reset(step, seen, &product_state, left, error));
    while (!is_over && *left > 0) {
        TRY(walk_slice(step, seen, &product_state, left, &is_over, error));
        if (sample_run_must_stop(step->run) &&
            sample_step_may_break_off(step, step->run->horizon - *left))
            return base_fail_stopped(error, step->run->cancel, "sampling episodes");
    }
    return OPAC_OK;
}

opac_status sample_step_single(sample_step *step, opac_error *error)
{
    opac_observation seen;
    uint64_t left = step->run->horizon;
    opac_status status = sample_step_begin(step, &seen, error);
    if (status == OPAC_OK)
        status = walk_episode(step, &seen, &left, error);
    return sample_step_end(step, status, step->run->horizon - left, error);
}
