/* SPDX-License-Identifier: MIT */
/*
 * Counting. A counter's observations by branch lie in `observed`, as targets do
 * in `targets` (world_rows.c): a counter that outgrows its place moves.
 *
 * What becomes known does so in sample_world_refresh alone, and there the pairs
 * that it leads to are met: of choices whose counter became known, and of pairs that were met
 * since the last refresh, some of whose choices may have been known all along
 * (their counter is that of other pairs as well). Each pair and each counter is
 * looked at once, so all refreshes together are linear in what was seen.
 */
#include "graph/process.h"
#include "sample/world_form.h"

uint64_t sample_world_observed(const sample_world *world, uint32_t counter, uint32_t branch)
{
    const sample_counter *c = &world->counters.items[counter];
    return branch < c->capacity ? world->observed.items[c->begin + branch] : 0;
}

/* Room for a branch, and for the others that the row has. */
static opac_status widen(sample_world *world, sample_counter *c, uint32_t branch, opac_error *error)
{
    const sample_row *row = &world->rows.items[c->row];
    uint32_t capacity = row->width > branch ? row->width : branch + 1;
    if (row->env_row == SAMPLE_NONE && capacity < 2 * c->capacity)
        capacity = 2 * c->capacity;
    size_t begin = world->observed.count;
    if (begin + capacity > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions counted",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u64_vec_reserve(&world->observed, begin + capacity, error));
    uint64_t *observed = world->observed.items;
    for (uint32_t b = 0; b < capacity; b++)
        observed[begin + b] = b < c->capacity ? observed[c->begin + b] : 0;
    world->observed.count += capacity;
    c->begin = (uint32_t)begin;
    c->capacity = capacity;
    return OPAC_OK;
}

static bool is_discovery(const sample_world *world, uint32_t counter, uint32_t branch)
{
    return world->discovers && counter == world->reset_row &&
           sample_world_observed(world, counter, branch) == 0;
}

/* n observations of a branch of the reset, its first ones, are about to be counted. */
static opac_status note_discovery(sample_world *world, uint32_t branch, uint64_t n,
                                  opac_error *error)
{
    uint64_t count = world->counters.items[world->reset_row].count;
    return sample_discovery_vec_push(
        &world->discoveries,
        (sample_discovery){.before = count, .from = count + n, .hits = n, .branch = branch}, error);
}

void sample_world_join_discoveries(sample_world *world, size_t first, uint64_t before)
{
    for (size_t i = first; i < world->discoveries.count; i++) {
        sample_discovery *d = &world->discoveries.items[i];
        d->before = before;
        d->from = world->counters.items[world->reset_row].count;
        d->hits = sample_world_observed(world, world->reset_row, d->branch);
    }
}

opac_status sample_world_observe(sample_world *world, uint32_t counter, uint32_t branch, uint64_t n,
                                 opac_error *error)
{
    sample_counter *c = &world->counters.items[counter];
    uint64_t room = world->k - c->count;
    n = n < room ? n : room;
    if (n == 0)
        return OPAC_OK;
    if (branch >= c->capacity)
        TRY(widen(world, c, branch, error));
    if (is_discovery(world, counter, branch))
        TRY(note_discovery(world, branch, n, error));
    if (n == room)
        TRY(base_u32_vec_push(&world->full, counter, error));
    world->observed.items[c->begin + branch] += n;
    c->count += n;
    return OPAC_OK;
}

bool sample_world_is_trap(const sample_world *world, uint32_t state)
{
    const sample_state *s = &world->states.items[state];
    for (uint32_t row = s->row; row < s->row + s->actions; row++) {
        const sample_counter *c = &world->counters.items[row];
        if (!c->known || c->ordered != 1)
            return false;
        uint32_t branch = world->order.items[c->order];
        if (world->targets.items[world->rows.items[row].begin + branch] != state)
            return false;
    }
    return s->actions > 0;
}

/* ---- becoming known ---- */

/* The pairs that a known choice leads to. */
static opac_status meet_successors(sample_world *world, uint32_t choice, opac_error *error)
{
    uint32_t count, pair;
    const uint32_t *order = sample_world_order(world, world->choices.items[choice].counter, &count);
    for (uint32_t i = 0; i < count; i++)
        TRY(sample_world_follow(world, choice, order[i], &pair, error));
    return OPAC_OK;
}

static opac_status make_known(sample_world *world, uint32_t counter, opac_error *error)
{
    uint32_t row = world->counters.items[counter].row;
    if (!world->counters.items[counter].complete)
        TRY(sample_world_arrange(world, counter, error));
    world->counters.items[counter].known = true;
    world->known++;
    for (uint32_t pair = sample_world_pair_of_row(world, row); pair != SAMPLE_NONE;
         pair = world->pairs.items[pair].next) {
        uint32_t count, first = sample_world_choices_of_row(world, pair, row, &count);
        for (uint32_t c = first; c < first + count; c++)
            if (world->choices.items[c].counter == counter)
                TRY(meet_successors(world, c, error));
    }
    return OPAC_OK;
}

/* The pairs that the choices of a pair lead to that are known. */
static opac_status close_pair(sample_world *world, uint32_t pair, opac_error *error)
{
    sample_pair p = world->pairs.items[pair];
    for (uint32_t c = p.choice; c < p.choice + p.choices; c++)
        if (!sample_choice_is_free(&world->choices.items[c]) && sample_world_is_known(world, c))
            TRY(meet_successors(world, c, error));
    return OPAC_OK;
}

opac_status sample_world_refresh(sample_world *world, base_u32_vec *changed, opac_error *error)
{
    for (size_t i = 0; i < world->full.count; i++) {
        uint32_t counter = world->full.items[i];
        if (world->counters.items[counter].known)
            continue;
        TRY(make_known(world, counter, error));
        if (changed != NULL)
            TRY(base_u32_vec_push(changed, counter, error));
    }
    while (world->closed < world->pairs.count)
        TRY(close_pair(world, world->closed++, error));
    world->full.count = 0;
    return OPAC_OK;
}

opac_status sample_world_complete(sample_world *world, uint32_t counter, const uint32_t *branches,
                                  uint32_t count, opac_error *error)
{
    sample_counter *c = &world->counters.items[counter];
    if (c->known || c->complete)
        return base_fail(error, OPAC_ERROR_INTERNAL, "a counter is complete twice");
    TRY(base_u32_vec_reserve(&world->full, world->full.count + 1, error));
    TRY(sample_world_arrange_these(world, counter, branches, count, error));
    c->complete = true;
    world->full.items[world->full.count++] = counter;
    return OPAC_OK;
}

/* The order is written where it was if there is room, else behind the others, with as much again. */
static opac_status place_starts(sample_world *world, size_t count, opac_error *error)
{
    sample_counter *c = &world->counters.items[world->reset_row];
    if (count > world->start_places) {
        size_t places = 2 * count, begin = world->order.count;
        TRY(base_u32_vec_reserve(&world->order, begin + places, error));
        for (size_t i = 0; i < places; i++)
            world->order.items[world->order.count++] = 0;
        world->start_places = (uint32_t)places;
        c->order = (uint32_t)begin;
    }
    for (size_t i = 0; i < count; i++)
        world->order.items[c->order + i] = world->discoveries.items[i].branch;
    c->ordered = (uint32_t)count;
    sample_world_sort_order(world, world->reset_row);
    return OPAC_OK;
}

opac_status sample_world_list_starts(sample_world *world, size_t count, opac_error *error)
{
    uint32_t row = world->reset_row;
    if (count == world->counters.items[row].ordered)
        return OPAC_OK;
    TRY(place_starts(world, count, error));
    if (world->start == SAMPLE_NONE)
        return OPAC_OK;
    world->counters.items[row].known = true;
    return close_pair(world, world->start, error);
}

opac_status sample_world_set_k(sample_world *world, uint64_t k, opac_error *error)
{
    if (k == 0 || k < world->k)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "k can only grow");
    world->k = k;
    world->known = 0;
    world->full.count = 0;
    if (!world->completes)
        world->order.count = 0;
    for (size_t i = 0; i < world->counters.count; i++) {
        sample_counter *counter = &world->counters.items[i];
        counter->known = counter->known && counter->complete;
        world->known += counter->known;
        if (!counter->known && (counter->complete || counter->count >= k))
            TRY(base_u32_vec_push(&world->full, (uint32_t)i, error));
    }
    return OPAC_OK;
}
