/* SPDX-License-Identifier: MIT */
/*
 * Restores statistics part by part: see statistics_restore.h.
 *
 * Cost: time linear in the statistics, and as much memory as they had, without what moved rows and counters
 * had left unused.
 */
#include "sample/statistics_restore.h"

#include <string.h>

#include "aut/automaton.h"
#include "graph/process.h"
#include "sample/statistics_form.h"

static opac_status refuse(opac_error *error, const char *what)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT, "%s", what);
}

/* ---- states ---- */

opac_status sample_restore_state(sample_statistics *stats, const opac_observation *state,
                                 opac_error *error)
{
    uint32_t next = (uint32_t)stats->states.count, number;
    uint32_t propositions = stats->automaton->proposition_count;
    if (propositions < 64 && state->letter >> propositions != 0)
        return refuse(error, "a letter has propositions that the automaton does not have");
    TRY(sample_statistics_add_state(stats, state, &number, error));
    if (number != next)
        return refuse(error, "two states have the same key");
    return OPAC_OK;
}

/* ---- rows ---- */

/* Checks that a branch of a tabulated environment leads to the given state. */
static opac_status check_branch(sample_statistics *stats, uint32_t env_row, uint32_t branch,
                                uint32_t target, opac_error *error)
{
    const sample_state *state = &stats->states.items[target];
    opac_observation seen;
    size_t length;
    TRY(env_branch(stats->env, env_row, branch, &seen, error));
    const unsigned char *key = base_intern_key(&stats->keys, target, &length);
    if (seen.length != length || (length > 0 && memcmp(seen.key, key, length) != 0))
        return refuse(error, "a transition is not one of the environment");
    if (seen.letter != state->letter || seen.actions != state->actions)
        return refuse(error, "a state has another letter or number of actions in the environment");
    return OPAC_OK;
}

static opac_status check_targets(const sample_statistics *stats, uint32_t row,
                                 const uint32_t *targets, uint32_t width, uint32_t *last,
                                 uint32_t *seen, opac_error *error)
{
    *seen = 0;
    for (uint32_t b = 0; b < width; b++) {
        if (targets[b] == SAMPLE_NONE) {
            if (!stats->is_tabulated)
                return refuse(error, "a branch has no target");
            continue;
        }
        if (targets[b] >= stats->states.count)
            return refuse(error, "a branch leads to a state that does not exist");
        if (last[targets[b]] == row)
            return refuse(error, "two branches of an action lead to the same state");
        last[targets[b]] = row;
        ++*seen;
    }
    return OPAC_OK;
}

/* Allocates the branches of a row, in a tabulated environment those of its row there. */
static opac_status make_row(sample_statistics *stats, uint32_t number, uint32_t width,
                            opac_error *error)
{
    sample_row *row = &stats->rows.items[number];
    size_t begin = stats->targets.count;
    if (stats->is_tabulated) {
        TRY(sample_statistics_adopt_env_row(stats, number, error));
        if (row->width != width)
            return refuse(error, "an action has another number of branches in the environment");
        return OPAC_OK;
    }
    if (begin + width > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions seen",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u32_vec_reserve(&stats->targets, begin + width, error));
    stats->targets.count += width;
    row->begin = (uint32_t)begin;
    row->width = row->capacity = width;
    return OPAC_OK;
}

opac_status sample_restore_row(sample_statistics *stats, uint32_t number, const uint32_t *targets,
                               uint32_t width, uint32_t *last, opac_error *error)
{
    uint32_t seen;
    if (width == 0)
        return OPAC_OK;
    TRY(check_targets(stats, number, targets, width, last, &seen, error));
    if (seen == 0)
        return refuse(error, "an action has branches, and none of them was observed");
    TRY(make_row(stats, number, width, error));
    sample_row *row = &stats->rows.items[number];
    for (uint32_t b = 0; b < width; b++) {
        if (stats->is_tabulated && targets[b] != SAMPLE_NONE)
            TRY(check_branch(stats, row->env_row, b, targets[b], error));
        stats->targets.items[row->begin + b] = targets[b];
    }
    row->seen = seen;
    if (seen > stats->most.branching)
        stats->most.branching = seen;
    return OPAC_OK;
}

/* ---- product states ---- */

static opac_status add_product_state(sample_statistics *stats,
                                     const sample_product_state *product_state,
                                     sample_product_state_kind kind, uint32_t initial,
                                     opac_error *error)
{
    uint32_t number;
    if (stats->states.count == 0)
        return refuse(error, "there are product states, and no states");
    if (kind == SAMPLE_PRODUCT_REJECT)
        return refuse(error, "nothing leads to the rejecting product state");
    if (kind == SAMPLE_PRODUCT_START) {
        if (stats->reset_row == SAMPLE_NONE && initial >= stats->states.count)
            return refuse(error, "there is no initial state");
        return sample_statistics_begin_episode(stats, stats->reset_row == SAMPLE_NONE ? initial : 0,
                                               error);
    }
    if (product_state->memory >= stats->automaton->state_count)
        return refuse(error, "a product state has a memory that the automaton does not have");
    if (kind == SAMPLE_PRODUCT_SINK)
        return sample_statistics_product_state(stats, 0, product_state->memory, &number, error);
    if (product_state->state >= stats->states.count)
        return refuse(error, "a product state has a state that does not exist");
    return sample_statistics_product_state(stats, product_state->state, product_state->memory,
                                           &number, error);
}

opac_status sample_restore_product_state(sample_statistics *stats, uint32_t number,
                                         const sample_product_state *product_state,
                                         sample_product_state_kind kind, uint32_t initial,
                                         opac_error *error)
{
    if (number >= stats->product_states.count) /* else it is the target of an earlier free choice */
        TRY(add_product_state(stats, product_state, kind, initial, error));
    if (number >= stats->product_states.count)
        return refuse(error, "two product states are the same");
    const sample_product_state *made = &stats->product_states.items[number];
    if (made->state != product_state->state || made->memory != product_state->memory ||
        (kind == SAMPLE_PRODUCT_REJECT) != (stats->reject == number) ||
        (kind == SAMPLE_PRODUCT_START && stats->start != number))
        return refuse(error, "product states are not in the order of their discovery");
    return OPAC_OK;
}

opac_status sample_restore_start(sample_statistics *stats, uint32_t initial, uint32_t start,
                                 opac_error *error)
{
    size_t product_states = stats->product_states.count;
    bool is_random = stats->reset_row != SAMPLE_NONE;
    if (start == SAMPLE_NONE)
        return initial == SAMPLE_NONE && product_states == 0
                   ? OPAC_OK
                   : refuse(error, "there is no first product state");
    if (is_random ? initial != SAMPLE_NONE : initial >= stats->states.count)
        return refuse(error, "the initial state is not a possible one");
    if (product_states == 0)
        return refuse(error, "the first product state does not exist");
    TRY(sample_statistics_begin_episode(stats, is_random ? 0 : initial, error));
    if (stats->start != start || stats->product_states.count != product_states)
        return refuse(error, "the first product state is not that of the initial state");
    return OPAC_OK;
}

/* ---- counters ---- */

opac_status sample_restore_counter(sample_statistics *stats, uint32_t counter,
                                   const uint64_t *observed, uint32_t width, bool known,
                                   opac_error *error)
{
    sample_counter *c = &stats->counters.items[counter];
    const sample_row *row = &stats->rows.items[c->row];
    if (width > row->width)
        return refuse(error, "more branches were counted than observed");
    if (width > 0 && observed[width - 1] == 0)
        return refuse(error, "a counter ends in a zero");
    for (uint32_t b = 0; b < width; b++) {
        if (observed[b] == 0)
            continue;
        if (stats->targets.items[row->begin + b] == SAMPLE_NONE)
            return refuse(error, "a branch was counted that was not observed");
        if (observed[b] > sample_counter_remaining(stats, counter))
            return refuse(error, "a counter has more than k observations");
        TRY(sample_statistics_observe(stats, counter, b, observed[b], error));
    }
    if (known && c->count < stats->k && !stats->known_when_complete)
        return refuse(error, "a known counter has fewer than k observations");
    if (stats->rows_are_open && known && c->count == 0)
        return refuse(error, "a known counter has no observations");
    c->known = known;
    c->complete = known && stats->known_when_complete && !stats->rows_are_open;
    stats->completed += c->complete;
    stats->known += known;
    if (stats->rows_are_open) /* its order follows in sample_restore_end */
        return OPAC_OK;
    return known && !c->complete ? sample_statistics_order_observed(stats, counter, error)
                                 : OPAC_OK;
}

opac_status sample_restore_order(sample_statistics *stats, uint32_t counter,
                                 const uint32_t *branches, uint32_t count, opac_error *error)
{
    if (counter >= stats->counters.count ||
        (stats->rows_are_open ? !stats->counters.items[counter].known
                              : !stats->counters.items[counter].complete))
        return refuse(error, "a complete support belongs to a row that is not known");
    sample_counter *c = &stats->counters.items[counter];
    const sample_row *row = &stats->rows.items[c->row];
    if (count == 0 || (stats->rows_are_open ? c->complete : c->ordered > 0))
        return refuse(error, "a support is empty or a duplicate");
    if (stats->rows_are_open && !c->grown && count != c->ordered)
        return refuse(error, "a support lacks a successor that was seen");
    for (uint32_t i = 0; i < count; i++)
        if (branches[i] >= row->width ||
            stats->targets.items[row->begin + branches[i]] == SAMPLE_NONE)
            return refuse(error, "a support has a branch that was not observed");
    TRY(sample_statistics_order_branches(stats, counter, branches, count, error));
    c->complete = true;
    stats->completed += stats->rows_are_open;
    const uint32_t *order = sample_statistics_order(stats, counter, &count);
    for (uint32_t i = 0; i < count; i++)
        if (order[i] != branches[i] || (i > 0 && order[i - 1] == order[i]))
            return refuse(error, "a support is not in order");
    return OPAC_OK;
}

/* ---- consistency ---- */

/* The full counters that are not known, each once. Restoring the counters has left all full ones in
 * stats->full. */
static opac_status restore_full(sample_statistics *stats, const uint32_t *full, size_t count,
                                opac_error *error)
{
    size_t expected = 0;
    for (size_t i = 0; i < stats->full.count; i++)
        expected += !stats->counters.items[stats->full.items[i]].known;
    if (count != expected)
        return refuse(error, "counters that became full are missing");
    stats->full.count = 0;
    TRY(base_u32_vec_reserve(&stats->full, count, error));
    /* Each is marked known while the others are checked, which detects duplicates. */
    for (size_t i = 0; i < count; i++) {
        sample_counter *c =
            full[i] < stats->counters.count ? &stats->counters.items[full[i]] : NULL;
        if (c == NULL || c->known || c->count < stats->k)
            return refuse(error, "a counter is not full or a duplicate");
        c->known = true;
        stats->full.items[stats->full.count++] = full[i];
    }
    for (size_t i = 0; i < stats->full.count; i++)
        stats->counters.items[stats->full.items[i]].known = false;
    return OPAC_OK;
}

/* With rows_are_open: the counters with new successors, each once. All others are known if they have
 * observations, with these as their support. */
static opac_status restore_grown(sample_statistics *stats, const uint32_t *grown, size_t count,
                                 opac_error *error)
{
    stats->full.count = 0;
    TRY(base_u32_vec_reserve(&stats->full, count, error));
    for (uint32_t c = 0; c < stats->counters.count; c++)
        stats->counters.items[c].grown = false;
    for (size_t i = 0; i < count; i++) {
        sample_counter *c =
            grown[i] < stats->counters.count ? &stats->counters.items[grown[i]] : NULL;
        if (c == NULL || c->grown || c->count == 0)
            return refuse(error, "a counter with new successors has none or is a duplicate");
        c->grown = true;
        stats->full.items[stats->full.count++] = grown[i];
    }
    for (uint32_t c = 0; c < stats->counters.count; c++) {
        const sample_counter *counter = &stats->counters.items[c];
        if (counter->grown)
            continue;
        if (counter->known != (counter->count > 0))
            return refuse(error, "a counter with observations is not known");
        if (counter->known)
            TRY(sample_statistics_list_observed(stats, c, error));
    }
    return OPAC_OK;
}

/* Checks that all successors of the known choices of a product state exist. */
static opac_status check_product_state(sample_statistics *stats, uint32_t number, opac_error *error)
{
    sample_product_state product_state = stats->product_states.items[number];
    size_t product_states = stats->product_states.count;
    for (uint32_t c = product_state.choice; c < product_state.choice + product_state.choices; c++) {
        uint32_t counter = stats->choices.items[c].counter, reached;
        if (counter == SAMPLE_NONE || !stats->counters.items[counter].known)
            continue;
        uint32_t count;
        const uint32_t *order = sample_statistics_order(stats, counter, &count);
        for (uint32_t i = 0; i < count; i++)
            TRY(sample_statistics_follow(stats, c, order[i], &reached, error));
        if (stats->product_states.count != product_states)
            return refuse(error, "a known choice leads to a product state that does not exist");
    }
    return OPAC_OK;
}

opac_status sample_restore_check(sample_statistics *stats, opac_error *error)
{
    for (uint32_t p = 0; p < stats->closed; p++)
        TRY(check_product_state(stats, p, error));
    return OPAC_OK;
}

opac_status sample_restore_end(sample_statistics *stats, const uint32_t *full, size_t count,
                               uint32_t closed, opac_error *error)
{
    if (closed > stats->product_states.count)
        return refuse(error, "more product states were closed than exist");
    TRY(stats->rows_are_open ? restore_grown(stats, full, count, error)
                             : restore_full(stats, full, count, error));
    stats->closed = closed;
    return sample_restore_check(stats, error);
}
