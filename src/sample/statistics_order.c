/* SPDX-License-Identifier: MIT */
/*
 * The canonical order of the branches of a known counter: by the keys of their targets. Environments number
 * branches arbitrarily, and for simulators they are numbered in the order of discovery, but keys are the same
 * everywhere. Whatever is computed from a known choice depends on this order only, so the same system has
 * the same policies, including ties, in every kind of environment.
 *
 * The order has the support of a complete counter (bracket/support.h), and the branches with observations of
 * any other. It is sorted once for each counter, by heap sort: n log n comparisons of keys, and no memory
 * except for the order itself, 4 bytes for each branch.
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

/* Whether the target of branch a precedes that of branch b; both have targets. */
static bool precedes(const sample_statistics *stats, const sample_row *row, uint32_t a, uint32_t b)
{
    const uint32_t *targets = stats->targets.items + row->begin;
    return sample_statistics_precedes(stats, targets[a], targets[b]);
}

/* Restores the heap property at a position; below it, it holds. The largest item is at the top. */
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
    if (sorted >= count) /* the usual case */
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

/* Makes the items of stats->order from `begin` on the order of a counter, and sorts them. */
static void set_order(sample_statistics *stats, uint32_t counter, size_t begin)
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
    set_order(stats, counter, begin);
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
    set_order(stats, counter, begin);
    return OPAC_OK;
}
