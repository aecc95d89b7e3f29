/* SPDX-License-Identifier: MIT */
/*
 * Filling a world from what is remembered of it: see world_restore.h.
 *
 * Cost: linear in what is filled in, and the same memory that the world had
 * (without the places that rows and counters have given up by growing).
 */
#include "sample/world_restore.h"

#include <string.h>

#include "aut/automaton.h"
#include "graph/process.h"
#include "sample/world_form.h"

static opac_status refuse(opac_error *error, const char *what)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT, "%s", what);
}

/* ---- states ---- */

opac_status sample_restore_state(sample_world *world, const opac_observation *state,
                                 opac_error *error)
{
    uint32_t next = (uint32_t)world->states.count, number;
    uint32_t propositions = world->automaton->proposition_count;
    if (propositions < 64 && state->letter >> propositions != 0)
        return refuse(error, "a letter has propositions that the automaton does not know");
    TRY(sample_world_meet(world, state, &number, error));
    if (number != next)
        return refuse(error, "two states have the same key");
    return OPAC_OK;
}

/* ---- rows ---- */

/* Whether a branch of a tabulated environment leads to the state that it is said to. */
static opac_status check_branch(sample_world *world, uint32_t env_row, uint32_t branch,
                                uint32_t target, opac_error *error)
{
    const sample_state *state = &world->states.items[target];
    opac_observation seen;
    size_t length;
    TRY(env_branch(world->env, env_row, branch, &seen, error));
    const unsigned char *key = base_intern_key(&world->keys, target, &length);
    if (seen.length != length || (length > 0 && memcmp(seen.key, key, length) != 0))
        return refuse(error, "a transition is not one of the environment");
    if (seen.letter != state->letter || seen.actions != state->actions)
        return refuse(error, "a state has another letter or other actions in the environment");
    return OPAC_OK;
}

static opac_status check_targets(const sample_world *world, uint32_t row, const uint32_t *targets,
                                 uint32_t width, uint32_t *last, uint32_t *seen, opac_error *error)
{
    *seen = 0;
    for (uint32_t b = 0; b < width; b++) {
        if (targets[b] == SAMPLE_NONE) {
            if (!world->is_tabulated)
                return refuse(error, "a branch leads to no state");
            continue;
        }
        if (targets[b] >= world->states.count)
            return refuse(error, "a branch leads to a state that there is not");
        if (last[targets[b]] == row)
            return refuse(error, "two branches of an action lead to the same state");
        last[targets[b]] = row;
        ++*seen;
    }
    return OPAC_OK;
}

/* Room for the branches, as many as are remembered or as the environment has. */
static opac_status make_row(sample_world *world, uint32_t number, uint32_t width, opac_error *error)
{
    sample_row *row = &world->rows.items[number];
    size_t begin = world->targets.count;
    if (world->is_tabulated) {
        TRY(sample_world_adopt(world, number, error));
        if (row->width != width)
            return refuse(error, "an action has another number of branches in the environment");
        return OPAC_OK;
    }
    if (begin + width > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions seen",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u32_vec_reserve(&world->targets, begin + width, error));
    world->targets.count += width;
    row->begin = (uint32_t)begin;
    row->width = row->capacity = width;
    return OPAC_OK;
}

opac_status sample_restore_row(sample_world *world, uint32_t number, const uint32_t *targets,
                               uint32_t width, uint32_t *last, opac_error *error)
{
    uint32_t seen;
    if (width == 0)
        return OPAC_OK;
    TRY(check_targets(world, number, targets, width, last, &seen, error));
    if (seen == 0)
        return refuse(error, "an action has branches, and none of them was seen");
    TRY(make_row(world, number, width, error));
    sample_row *row = &world->rows.items[number];
    for (uint32_t b = 0; b < width; b++) {
        if (world->is_tabulated && targets[b] != SAMPLE_NONE)
            TRY(check_branch(world, row->env_row, b, targets[b], error));
        world->targets.items[row->begin + b] = targets[b];
    }
    row->seen = seen;
    if (seen > world->most.branching)
        world->most.branching = seen;
    return OPAC_OK;
}

/* ---- pairs ---- */

static opac_status meet_pair(sample_world *world, const sample_pair *pair, sample_pair_kind kind,
                             uint32_t initial, opac_error *error)
{
    uint32_t number;
    if (world->states.count == 0)
        return refuse(error, "there are pairs, and no states");
    if (kind == SAMPLE_PAIR_REJECT)
        return refuse(error, "nothing leads to the place where runs are rejected");
    if (kind == SAMPLE_PAIR_START) {
        if (world->reset_row == SAMPLE_NONE && initial >= world->states.count)
            return refuse(error, "there is no initial state");
        return sample_world_begin(world, world->reset_row == SAMPLE_NONE ? initial : 0, error);
    }
    if (pair->memory >= world->automaton->state_count)
        return refuse(error, "a pair has a memory that the automaton has not");
    if (kind == SAMPLE_PAIR_SINK)
        return sample_world_pair(world, 0, pair->memory, &number, error);
    if (pair->state >= world->states.count)
        return refuse(error, "a pair has a state that there is not");
    return sample_world_pair(world, pair->state, pair->memory, &number, error);
}

opac_status sample_restore_pair(sample_world *world, uint32_t number, const sample_pair *pair,
                                sample_pair_kind kind, uint32_t initial, opac_error *error)
{
    if (number >= world->pairs.count) /* or one before had a free choice that leads here */
        TRY(meet_pair(world, pair, kind, initial, error));
    if (number >= world->pairs.count)
        return refuse(error, "two pairs are the same");
    const sample_pair *made = &world->pairs.items[number];
    if (made->state != pair->state || made->memory != pair->memory ||
        (kind == SAMPLE_PAIR_REJECT) != (world->reject == number) ||
        (kind == SAMPLE_PAIR_START && world->start != number))
        return refuse(error, "a pair is not the one that would have been met next");
    return OPAC_OK;
}

opac_status sample_restore_start(sample_world *world, uint32_t initial, uint32_t start,
                                 opac_error *error)
{
    size_t pairs = world->pairs.count;
    bool is_random = world->reset_row != SAMPLE_NONE;
    if (start == SAMPLE_NONE)
        return initial == SAMPLE_NONE && pairs == 0 ? OPAC_OK
                                                    : refuse(error, "episodes begin nowhere");
    if (is_random ? initial != SAMPLE_NONE : initial >= world->states.count)
        return refuse(error, "the initial state is not one that there can be");
    if (pairs == 0)
        return refuse(error, "episodes begin in a pair that there is not");
    TRY(sample_world_begin(world, is_random ? 0 : initial, error));
    if (world->start != start || world->pairs.count != pairs)
        return refuse(error, "episodes do not begin where they would have begun");
    return OPAC_OK;
}

/* ---- counters ---- */

opac_status sample_restore_counter(sample_world *world, uint32_t counter, const uint64_t *observed,
                                   uint32_t width, bool known, opac_error *error)
{
    sample_counter *c = &world->counters.items[counter];
    const sample_row *row = &world->rows.items[c->row];
    if (width > row->width)
        return refuse(error, "more branches were counted than seen");
    if (width > 0 && observed[width - 1] == 0)
        return refuse(error, "a counter ends in a zero");
    for (uint32_t b = 0; b < width; b++) {
        if (observed[b] == 0)
            continue;
        if (world->targets.items[row->begin + b] == SAMPLE_NONE)
            return refuse(error, "a branch was counted that was not seen");
        if (observed[b] > sample_counter_room(world, counter))
            return refuse(error, "a counter has more than k observations");
        TRY(sample_world_observe(world, counter, b, observed[b], error));
    }
    if (known && c->count < world->k && !world->completes)
        return refuse(error, "a counter is known that has less than k observations");
    c->known = known;
    c->complete = known && world->completes;
    world->known += known;
    return known && !c->complete ? sample_world_arrange(world, counter, error) : OPAC_OK;
}

opac_status sample_restore_order(sample_world *world, uint32_t counter, const uint32_t *branches,
                                 uint32_t count, opac_error *error)
{
    if (counter >= world->counters.count || !world->counters.items[counter].complete)
        return refuse(error, "a support is complete that is not known");
    const sample_counter *c = &world->counters.items[counter];
    const sample_row *row = &world->rows.items[c->row];
    if (c->ordered > 0 || count == 0)
        return refuse(error, "a support is empty, or there twice");
    for (uint32_t i = 0; i < count; i++)
        if (branches[i] >= row->width ||
            world->targets.items[row->begin + branches[i]] == SAMPLE_NONE)
            return refuse(error, "a support has a branch that was not seen");
    TRY(sample_world_arrange_these(world, counter, branches, count, error));
    const uint32_t *order = sample_world_order(world, counter, &count);
    for (uint32_t i = 0; i < count; i++)
        if (order[i] != branches[i] || (i > 0 && order[i - 1] == order[i]))
            return refuse(error, "a support is not in order");
    return OPAC_OK;
}

/* ---- the whole ---- */

/* Those that are full and not known, each once; `full` is what restoring has left there. */
static opac_status restore_full(sample_world *world, const uint32_t *full, size_t count,
                                opac_error *error)
{
    size_t expected = 0;
    for (size_t i = 0; i < world->full.count; i++)
        expected += !world->counters.items[world->full.items[i]].known;
    if (count != expected)
        return refuse(error, "counters that became full are missing");
    world->full.count = 0;
    TRY(base_u32_vec_reserve(&world->full, count, error));
    /* Each is taken for known while the others are looked at: so none is there twice. */
    for (size_t i = 0; i < count; i++) {
        sample_counter *c =
            full[i] < world->counters.count ? &world->counters.items[full[i]] : NULL;
        if (c == NULL || c->known || c->count < world->k)
            return refuse(error, "a counter is not full, or twice");
        c->known = true;
        world->full.items[world->full.count++] = full[i];
    }
    for (size_t i = 0; i < world->full.count; i++)
        world->counters.items[world->full.items[i]].known = false;
    return OPAC_OK;
}

/* A known choice's successors have all been met. */
static opac_status check_pair(sample_world *world, uint32_t number, opac_error *error)
{
    sample_pair pair = world->pairs.items[number];
    size_t pairs = world->pairs.count;
    for (uint32_t c = pair.choice; c < pair.choice + pair.choices; c++) {
        uint32_t counter = world->choices.items[c].counter, met;
        if (counter == SAMPLE_NONE || !world->counters.items[counter].known)
            continue;
        uint32_t count;
        const uint32_t *order = sample_world_order(world, counter, &count);
        for (uint32_t i = 0; i < count; i++)
            TRY(sample_world_follow(world, c, order[i], &met, error));
        if (world->pairs.count != pairs)
            return refuse(error, "a known choice leads to a pair that was not met");
    }
    return OPAC_OK;
}

opac_status sample_restore_check(sample_world *world, opac_error *error)
{
    for (uint32_t p = 0; p < world->closed; p++)
        TRY(check_pair(world, p, error));
    return OPAC_OK;
}

opac_status sample_restore_end(sample_world *world, const uint32_t *full, size_t count,
                               uint32_t closed, opac_error *error)
{
    if (closed > world->pairs.count)
        return refuse(error, "more pairs were closed than there are");
    TRY(restore_full(world, full, count, error));
    world->closed = closed;
    return sample_restore_check(world, error);
}
