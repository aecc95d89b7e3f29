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

#include "sample/statistics_form.h"

bool sample_statistics_precedes(const sample_statistics *stats, uint32_t a, uint32_t b)
{
    size_t la, lb;
    const unsigned char *ka = base_intern_key(&stats->keys, a, &la);
    const unsigned char *kb = base_intern_key(&stats->keys, b, &lb);
    size_t common = la < lb ? la : lb;
    int order = common > 0 ? memcmp(ka, kb, common) : 0;
    return order != 0 ? order < 0 : la < lb;
}

/* Whether the target of a branch comes before that of another; both have one. */
static bool precedes(const sample_statistics *stats, const sample_row *row, uint32_t a, uint32_t b)
{
    const uint32_t *targets = stats->targets.items + row->begin;
    return sample_statistics_precedes(stats, targets[a], targets[b]);
}

/* The heap below a place is one; the largest is at its top. */
static void sift(const sample_statistics *stats, const sample_row *row, uint32_t *items,
                 uint32_t at, uint32_t count)
{
    uint32_t item = items[at], child;
    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && precedes(stats, row, items[child], items[child + 1]))
            child++;
        if (!precedes(stats, row, item, items[child]))
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = item;
}

static void sort(const sample_statistics *stats, const sample_row *row, uint32_t *items,
                 uint32_t count)
{
    uint32_t sorted = 1;
    while (sorted < count && precedes(stats, row, items[sorted - 1], items[sorted]))
        sorted++;
    if (sorted >= count) /* as mostly */
        return;
    for (uint32_t i = count / 2; i-- > 0;)
        sift(stats, row, items, i, count);
    for (uint32_t end = count - 1; end > 0; end--) {
        uint32_t largest = items[0];
        items[0] = items[end];
        items[end] = largest;
        sift(stats, row, items, 0, end);
    }
}

void sample_statistics_sort_order(sample_statistics *stats, uint32_t counter)
{
    const sample_counter *c = &stats->counters.items[counter];
    sort(stats, &stats->rows.items[c->row], stats->order.items + c->order, c->ordered);
}

/* What was put behind `begin` is the order of a counter, once it is sorted. */
static void keep(sample_statistics *stats, uint32_t counter, size_t begin)
{
    sample_counter *c = &stats->counters.items[counter];
    c->order = (uint32_t)begin;
    c->ordered = (uint32_t)(stats->order.count - begin);
    sample_statistics_sort_order(stats, counter);
}

opac_status sample_statistics_order_observed(sample_statistics *stats, uint32_t counter,
                                             opac_error *error)
{
    sample_counter *c = &stats->counters.items[counter];
    size_t begin = stats->order.count;
    TRY(base_u32_vec_reserve(&stats->order, begin + c->capacity, error));
    for (uint32_t b = 0; b < c->capacity; b++)
        if (stats->observed.items[c->begin + b] > 0)
            stats->order.items[stats->order.count++] = b;
    keep(stats, counter, begin);
    return OPAC_OK;
}

opac_status sample_statistics_order_branches(sample_statistics *stats, uint32_t counter,
                                             const uint32_t *branches, uint32_t count,
                                             opac_error *error)
{
    size_t begin = stats->order.count;
    TRY(base_u32_vec_reserve(&stats->order, begin + count, error));
    for (uint32_t i = 0; i < count; i++)
        stats->order.items[stats->order.count++] = branches[i];
    keep(stats, counter, begin);
    return OPAC_OK;
}
