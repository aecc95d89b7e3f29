/* SPDX-License-Identifier: MIT */
/*
 * The canonical order of what a known counter was observed to lead to: that of
 * the targets' keys. Environments number branches as they like, and callbacks
 * have them numbered by first sight; keys are the same everywhere. Nothing
 * that is computed from a known choice depends on anything else, so that the
 * same system has the same policies, ties included, whatever kind of
 * environment it is.
 *
 * Of a complete counter it is given which branches these are (support.h); of others, those that
 * were observed. A heap sort, once a counter: n log n comparisons of keys, and no memory beside
 * the 4 bytes a branch that are kept.
 */
#include <string.h>

#include "sample/world_form.h"

bool sample_world_precedes(const sample_world *world, uint32_t a, uint32_t b)
{
    size_t la, lb;
    const unsigned char *ka = base_intern_key(&world->keys, a, &la);
    const unsigned char *kb = base_intern_key(&world->keys, b, &lb);
    size_t common = la < lb ? la : lb;
    int order = common > 0 ? memcmp(ka, kb, common) : 0;
    return order != 0 ? order < 0 : la < lb;
}

/* Whether the target of a branch comes before that of another; both have one. */
static bool precedes(const sample_world *world, const sample_row *row, uint32_t a, uint32_t b)
{
    const uint32_t *targets = world->targets.items + row->begin;
    return sample_world_precedes(world, targets[a], targets[b]);
}

/* The heap below a place is one; the largest is at its top. */
static void sift(const sample_world *world, const sample_row *row, uint32_t *items, uint32_t at,
                 uint32_t count)
{
    uint32_t item = items[at], child;
    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && precedes(world, row, items[child], items[child + 1]))
            child++;
        if (!precedes(world, row, item, items[child]))
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = item;
}

static void sort(const sample_world *world, const sample_row *row, uint32_t *items, uint32_t count)
{
    uint32_t sorted = 1;
    while (sorted < count && precedes(world, row, items[sorted - 1], items[sorted]))
        sorted++;
    if (sorted >= count) /* as mostly */
        return;
    for (uint32_t i = count / 2; i-- > 0;)
        sift(world, row, items, i, count);
    for (uint32_t end = count - 1; end > 0; end--) {
        uint32_t largest = items[0];
        items[0] = items[end];
        items[end] = largest;
        sift(world, row, items, 0, end);
    }
}

void sample_world_sort_order(sample_world *world, uint32_t counter)
{
    const sample_counter *c = &world->counters.items[counter];
    sort(world, &world->rows.items[c->row], world->order.items + c->order, c->ordered);
}

/* What was put behind `begin` is the order of a counter, once it is sorted. */
static void keep(sample_world *world, uint32_t counter, size_t begin)
{
    sample_counter *c = &world->counters.items[counter];
    c->order = (uint32_t)begin;
    c->ordered = (uint32_t)(world->order.count - begin);
    sample_world_sort_order(world, counter);
}

opac_status sample_world_arrange(sample_world *world, uint32_t counter, opac_error *error)
{
    sample_counter *c = &world->counters.items[counter];
    size_t begin = world->order.count;
    TRY(base_u32_vec_reserve(&world->order, begin + c->capacity, error));
    for (uint32_t b = 0; b < c->capacity; b++)
        if (world->observed.items[c->begin + b] > 0)
            world->order.items[world->order.count++] = b;
    keep(world, counter, begin);
    return OPAC_OK;
}

opac_status sample_world_arrange_these(sample_world *world, uint32_t counter,
                                       const uint32_t *branches, uint32_t count, opac_error *error)
{
    size_t begin = world->order.count;
    TRY(base_u32_vec_reserve(&world->order, begin + count, error));
    for (uint32_t i = 0; i < count; i++)
        world->order.items[world->order.count++] = branches[i];
    keep(world, counter, begin);
    return OPAC_OK;
}
