/* SPDX-License-Identifier: MIT */
/*
 * Counting observations. The counts of a counter by branch are stored in `observed`; a counter that grows
 * beyond its capacity moves, as rows do in `targets` (statistics_rows.c).
 *
 * Counters become known in sample_statistics_refresh only, which also adds the product states that known
 * choices lead to: for counters that became known, and for product states that were added since the last
 * refresh, whose choices may be known already because they share counters with other product states. Each
 * counter and each product state is processed once, so all refreshes together take time linear in the
 * statistics.
 */
#include "graph/process.h"
#include "sample/statistics_form.h"

uint64_t sample_statistics_observed(const sample_statistics *stats, uint32_t counter,
                                    uint32_t branch)
{
    const sample_counter *c = &stats->counters.items[counter];
    return branch < c->capacity ? stats->observed.items[c->begin + branch] : 0;
}

uint64_t sample_statistics_discovered(const sample_statistics *stats, uint32_t counter,
                                      uint32_t branch)
{
    const sample_counter *c = &stats->counters.items[counter];
    return branch < c->capacity ? stats->discovered.items[c->begin + branch] : 0;
}

sample_discovery sample_statistics_discovery(const sample_statistics *stats, uint32_t counter,
                                             uint32_t branch)
{
    uint64_t from = sample_statistics_discovered(stats, counter, branch);
    if (!stats->has_batches)
        return (sample_discovery){.before = from - 1, .from = from, .hits = 1};
    size_t at = 2 * ((size_t)stats->counters.items[counter].begin + branch);
    return (sample_discovery){
        .before = stats->batches.items[at], .from = from, .hits = stats->batches.items[at + 1]};
}

/* Copies an array parallel to `observed`, of so many items for each branch, to the new place of a counter. */
static opac_status widen_parallel(base_u64_vec *items, const sample_counter *c, uint32_t capacity,
                                  size_t each, opac_error *error)
{
    size_t begin = items->count, count = each * capacity, old = each * c->capacity;
    TRY(base_u64_vec_reserve(items, begin + count, error));
    for (size_t i = 0; i < count; i++)
        items->items[begin + i] = i < old ? items->items[each * c->begin + i] : 0;
    items->count += count;
    return OPAC_OK;
}

/* Grows a counter to all branches of its row, and at least to `branch`. */
static opac_status widen(sample_statistics *stats, sample_counter *c, uint32_t branch,
                         opac_error *error)
{
    const sample_row *row = &stats->rows.items[c->row];
    uint32_t capacity = row->width > branch ? row->width : branch + 1;
    if (row->env_row == SAMPLE_NONE && capacity < 2 * c->capacity)
        capacity = 2 * c->capacity;
    size_t begin = stats->observed.count;
    if (begin + capacity > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "more than %u transitions counted",
                         (unsigned)GRAPH_LARGEST);
    TRY(base_u64_vec_reserve(&stats->observed, begin + capacity, error));
    if (stats->rows_are_open)
        TRY(widen_parallel(&stats->discovered, c, capacity, 1, error));
    if (stats->has_batches)
        TRY(widen_parallel(&stats->batches, c, capacity, 2, error));
    uint64_t *observed = stats->observed.items;
    for (uint32_t b = 0; b < capacity; b++)
        observed[begin + b] = b < c->capacity ? observed[c->begin + b] : 0;
    stats->observed.count += capacity;
    c->begin = (uint32_t)begin;
    c->capacity = capacity;
    return OPAC_OK;
}

/* With rows_are_open: records that the next n observations of a counter discover a branch. They follow each other,
 * except in a batch. */
static opac_status note_successor(sample_statistics *stats, uint32_t counter, uint32_t branch,
                                  uint64_t n, opac_error *error)
{
    sample_counter *c = &stats->counters.items[counter];
    if (!stats->rows_are_open || stats->observed.items[c->begin + branch] > 0)
        return OPAC_OK;
    if (!c->grown)
        TRY(base_u32_vec_push(&stats->full, counter, error));
    c->grown = true;
    stats->discovered.items[c->begin + branch] = c->count + (stats->has_batches ? n : 1);
    if (stats->has_batches) {
        stats->batches.items[2 * ((size_t)c->begin + branch)] = c->count;
        stats->batches.items[2 * ((size_t)c->begin + branch) + 1] = n;
    }
    return OPAC_OK;
}

void sample_statistics_end_batch(sample_statistics *stats, uint32_t counter, uint64_t before)
{
    const sample_counter *c = &stats->counters.items[counter];
    for (size_t at = c->begin; stats->has_batches && at < (size_t)c->begin + c->capacity; at++) {
        if (stats->discovered.items[at] <= before)
            continue;
        stats->discovered.items[at] = c->count;
        stats->batches.items[2 * at] = before;
        stats->batches.items[2 * at + 1] = stats->observed.items[at];
    }
}

opac_status sample_statistics_observe(sample_statistics *stats, uint32_t counter, uint32_t branch,
                                      uint64_t n, opac_error *error)
{
    sample_counter *c = &stats->counters.items[counter];
    uint64_t remaining = stats->k - c->count;
    n = n < remaining ? n : remaining;
    if (n == 0)
        return OPAC_OK;
    if (branch >= c->capacity)
        TRY(widen(stats, c, branch, error));
    TRY(note_successor(stats, counter, branch, n, error));
    if (n == remaining)
        TRY(base_u32_vec_push(&stats->full, counter, error));
    stats->observed.items[c->begin + branch] += n;
    c->count += n;
    return OPAC_OK;
}

bool sample_statistics_is_trap(const sample_statistics *stats, uint32_t state)
{
    const sample_state *s = &stats->states.items[state];
    for (uint32_t row = s->row; row < s->row + s->actions; row++) {
        const sample_counter *c = &stats->counters.items[row];
        if (!c->known || c->ordered != 1 || (stats->rows_are_open && !c->complete))
            return false;
        uint32_t branch = stats->order.items[c->order];
        if (stats->targets.items[stats->rows.items[row].begin + branch] != state)
            return false;
    }
    return s->actions > 0;
}

/* ---- becoming known ---- */

/* Adds the product states that a known choice leads to. */
static opac_status add_successors(sample_statistics *stats, uint32_t choice, opac_error *error)
{
    uint32_t count, product_state;
    const uint32_t *order =
        sample_statistics_order(stats, stats->choices.items[choice].counter, &count);
    for (uint32_t i = 0; i < count; i++)
        TRY(sample_statistics_follow(stats, choice, order[i], &product_state, error));
    return OPAC_OK;
}

/* Reserves places for an order that grows: with twice the capacity at the end if it does not fit. */
static opac_status reserve_order(sample_statistics *stats, uint32_t counter, size_t count,
                                 opac_error *error)
{
    sample_counter *c = &stats->counters.items[counter];
    size_t places = 2 * count, begin = stats->order.count;
    if (count <= c->places)
        return OPAC_OK;
    TRY(base_u32_vec_reserve(&stats->order, begin + places, error));
    for (size_t i = 0; i < places; i++)
        stats->order.items[stats->order.count++] = 0;
    c->places = (uint32_t)places;
    c->order = (uint32_t)begin;
    return OPAC_OK;
}

opac_status sample_statistics_list_observed(sample_statistics *stats, uint32_t counter,
                                            opac_error *error)
{
    sample_counter *c = &stats->counters.items[counter];
    size_t count = 0;
    for (uint32_t b = 0; b < c->capacity; b++)
        count += stats->observed.items[c->begin + b] > 0;
    TRY(reserve_order(stats, counter, count, error));
    c->ordered = 0;
    for (uint32_t b = 0; b < c->capacity; b++)
        if (stats->observed.items[c->begin + b] > 0)
            stats->order.items[c->order + c->ordered++] = b;
    sample_statistics_sort_order(stats, counter);
    return OPAC_OK;
}

/* Sets the order of a counter that is known from now on, or, with rows_are_open, has new successors. */
static opac_status set_order(sample_statistics *stats, uint32_t counter, opac_error *error)
{
    sample_counter *c = &stats->counters.items[counter];
    stats->known += !c->known;
    c->known = true;
    if (c->complete)
        return OPAC_OK;
    return stats->rows_are_open ? sample_statistics_list_observed(stats, counter, error)
                                : sample_statistics_order_observed(stats, counter, error);
}

/* Makes a counter known, and adds the product states that its choices lead to. */
static opac_status make_known(sample_statistics *stats, uint32_t counter, opac_error *error)
{
    uint32_t row = stats->counters.items[counter].row;
    TRY(set_order(stats, counter, error));
    for (uint32_t product_state = sample_statistics_product_state_of_row(stats, row);
         product_state != SAMPLE_NONE;
         product_state = stats->product_states.items[product_state].next) {
        uint32_t count, first = sample_statistics_choices_of_row(stats, product_state, row, &count);
        for (uint32_t c = first; c < first + count; c++)
            if (stats->choices.items[c].counter == counter)
                TRY(add_successors(stats, c, error));
    }
    return OPAC_OK;
}

/* Adds the product states that the known choices of a product state lead to. */
static opac_status close_product_state(sample_statistics *stats, uint32_t product_state,
                                       opac_error *error)
{
    sample_product_state p = stats->product_states.items[product_state];
    for (uint32_t c = p.choice; c < p.choice + p.choices; c++)
        if (!sample_choice_is_free(&stats->choices.items[c]) &&
            sample_statistics_is_known(stats, c))
            TRY(add_successors(stats, c, error));
    return OPAC_OK;
}

opac_status sample_statistics_refresh(sample_statistics *stats, base_u32_vec *changed,
                                      opac_error *error)
{
    for (size_t i = 0; i < stats->full.count; i++) {
        uint32_t counter = stats->full.items[i];
        bool was_known = stats->counters.items[counter].known;
        if (was_known && !stats->rows_are_open)
            continue;
        TRY(make_known(stats, counter, error));
        stats->counters.items[counter].grown = false;
        if (changed != NULL && !was_known)
            TRY(base_u32_vec_push(changed, counter, error));
    }
    while (stats->closed < stats->product_states.count)
        TRY(close_product_state(stats, stats->closed++, error));
    stats->full.count = 0;
    return OPAC_OK;
}

opac_status sample_statistics_complete(sample_statistics *stats, uint32_t counter,
                                       const uint32_t *branches, uint32_t count, opac_error *error)
{
    sample_counter *c = &stats->counters.items[counter];
    if (c->complete || (c->known && !stats->rows_are_open))
        return base_fail(error, OPAC_ERROR_INTERNAL, "a counter was completed twice");
    TRY(base_u32_vec_reserve(&stats->full, stats->full.count + 1, error));
    TRY(sample_statistics_order_branches(stats, counter, branches, count, error));
    c->complete = true;
    stats->completed++;
    if (!c->grown)
        stats->full.items[stats->full.count++] = counter;
    c->grown = stats->rows_are_open;
    return OPAC_OK;
}

opac_status sample_statistics_set_k(sample_statistics *stats, uint64_t k, opac_error *error)
{
    if (k == 0 || k < stats->k)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "k must not decrease");
    stats->k = k;
    stats->known = 0;
    stats->full.count = 0;
    if (!stats->known_when_complete)
        stats->order.count = 0;
    for (size_t i = 0; i < stats->counters.count; i++) {
        sample_counter *counter = &stats->counters.items[i];
        counter->known = counter->known && counter->complete;
        stats->known += counter->known;
        if (!counter->known && (counter->complete || counter->count >= k))
            TRY(base_u32_vec_push(&stats->full, (uint32_t)i, error));
    }
    return OPAC_OK;
}
