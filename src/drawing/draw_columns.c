/* SPDX-License-Identifier: MIT */
/*
 * Order and vertical positions of the items in columns (Sugiyama, Tagawa, Toda 1981). Crossings are counted
 * with a binary indexed tree (Barth, Jünger, Mutzel 2002). All comparisons end with the number of the item,
 * so that the result is unique.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "drawing/draw_layout.h"

enum {
    SWEEPS = 16, /* of the ordering */
    ROUNDS = 24  /* of the vertical positions */
};

static void sort_links(layout_columns *c, uint32_t *begin, uint32_t *links, bool is_left)
{
    for (uint32_t i = 0; i < c->link_count; i++)
        begin[(is_left ? c->links[i].right : c->links[i].left) + 1]++;
    for (uint32_t i = 0; i < c->item_count; i++)
        begin[i + 1] += begin[i];
    for (uint32_t i = c->link_count; i-- > 0;) {
        uint32_t item = is_left ? c->links[i].right : c->links[i].left;
        links[--begin[item + 1]] = i;
    }
    /* Here begin[i + 1] is the index of the first link of i. */
    memmove(begin, begin + 1, c->item_count * sizeof *begin);
    begin[c->item_count] = c->link_count;
}

opac_status layout_columns_init(layout_columns *c, base_arena *arena, opac_error *error)
{
    size_t items = c->item_count, links = c->link_count;
    c->begin = base_arena_alloc_zeroed(arena, (size_t)c->column_count + 1, sizeof *c->begin);
    c->order = base_arena_alloc(arena, items + 1, sizeof *c->order);
    c->position = base_arena_alloc(arena, items + 1, sizeof *c->position);
    c->right_begin = base_arena_alloc_zeroed(arena, items + 2, sizeof *c->right_begin);
    c->left_begin = base_arena_alloc_zeroed(arena, items + 2, sizeof *c->left_begin);
    c->right = base_arena_alloc(arena, links + 1, sizeof *c->right);
    c->left = base_arena_alloc(arena, links + 1, sizeof *c->left);
    if (c->begin == NULL || c->order == NULL || c->position == NULL || c->right_begin == NULL ||
        c->left_begin == NULL || c->right == NULL || c->left == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < items; i++)
        c->begin[c->items[i].column + 1]++;
    for (uint32_t i = 0; i < c->column_count; i++)
        c->begin[i + 1] += c->begin[i];
    for (uint32_t i = 0; i < items; i++) {
        uint32_t at = c->begin[c->items[i].column]++;
        c->order[at] = i;
        c->position[i] = at;
    }
    for (uint32_t i = c->column_count; i > 0; i--)
        c->begin[i] = c->begin[i - 1];
    c->begin[0] = 0;
    sort_links(c, c->right_begin, c->right, false);
    sort_links(c, c->left_begin, c->left, true);
    return OPAC_OK;
}

/* ---- order ---- */

/* Counts the work on a column. Returns true if the work is stopped. */
static bool spend_column(const layout_columns *c, uint32_t column)
{
    return base_work_spend(c->work, (uint64_t)4 * (1 + c->begin[column + 1] - c->begin[column]));
}

/* An item and its sort key. */
typedef struct ranked {
    double rank;
    uint32_t item;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static double barycentre(const layout_columns *c, uint32_t item, bool by_left)
{
    const uint32_t *begin = by_left ? c->left_begin : c->right_begin;
    const uint32_t *links = by_left ? c->left : c->right;
    double sum = 0;
    for (uint32_t i = begin[item]; i < begin[item + 1]; i++) {
        const layout_link *link = &c->links[links[i]];
        uint32_t other = by_left ? link->left : link->right;
        sum += (double)(c->position[other] - c->begin[c->items[other].column]);
    }
    uint32_t count = begin[item + 1] - begin[item];
    return count > 0 ? sum / count : -1;
}

/* Sorts a column by the barycentres of the neighbours on one side. Items without neighbours keep their
 * position. */
static void sort_column(layout_columns *c, uint32_t column, bool by_left, ranked *scratch)
{
    uint32_t begin = c->begin[column], end = c->begin[column + 1];
    if (spend_column(c, column))
        return;
    for (uint32_t i = begin; i < end; i++) {
        double rank = barycentre(c, c->order[i], by_left);
        scratch[i - begin] = (ranked){rank < 0 ? i - begin : rank, c->order[i]};
    }
    qsort(scratch, end - begin, sizeof *scratch, compare_ranked);
    for (uint32_t i = begin; i < end; i++) {
        c->order[i] = scratch[i - begin].item;
        c->position[c->order[i]] = i;
    }
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Counts the crossings of the links between a column and the next one: the inversions of their right ends, in
 * the order of their left ends. */
static uint64_t count_crossings(const layout_columns *c, uint32_t column, uint32_t *ends,
                                uint32_t *tree)
{
    uint32_t size = c->begin[column + 2] - c->begin[column + 1], seen = 0;
    uint64_t crossings = 0;
    memset(tree, 0, ((size_t)size + 1) * sizeof *tree);
    for (uint32_t i = c->begin[column]; i < c->begin[column + 1]; i++) {
        uint32_t item = c->order[i], count = 0;
        for (uint32_t k = c->right_begin[item]; k < c->right_begin[item + 1]; k++)
            ends[count++] = c->position[c->links[c->right[k]].right] - c->begin[column + 1];
        qsort(ends, count, sizeof *ends, compare_numbers);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t below = 0;
            for (uint32_t at = ends[k] + 1; at > 0; at &= at - 1)
                below += tree[at];
            crossings += seen - below;
        }
        for (uint32_t k = 0; k < count; k++, seen++)
            for (uint32_t at = ends[k] + 1; at <= size; at += at & (~at + 1))
                tree[at]++;
    }
    return crossings;
}

static uint64_t count_all(const layout_columns *c, uint32_t *ends, uint32_t *tree)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i + 1 < c->column_count && !spend_column(c, i); i++)
        sum += count_crossings(c, i, ends, tree);
    return sum;
}

static void sweep(layout_columns *c, bool is_forward, ranked *scratch)
{
    for (uint32_t i = 1; i < c->column_count; i++)
        sort_column(c, is_forward ? i : c->column_count - 1 - i, is_forward, scratch);
}

opac_status layout_order(layout_columns *c, base_arena *arena, opac_error *error)
{
    ranked *scratch = base_arena_alloc(arena, (size_t)c->item_count + 1, sizeof *scratch);
    uint32_t *best = base_arena_alloc(arena, (size_t)c->item_count + 1, sizeof *best);
    uint32_t *ends = base_arena_alloc(arena, (size_t)c->link_count + 1, sizeof *ends);
    uint32_t *tree = base_arena_alloc(arena, (size_t)c->item_count + 2, sizeof *tree);
    if (scratch == NULL || best == NULL || ends == NULL || tree == NULL)
        return base_fail_memory(error);
    uint64_t least = count_all(c, ends, tree);
    memcpy(best, c->order, c->item_count * sizeof *best);
    for (int i = 0; i < SWEEPS && least > 0; i++) {
        sweep(c, i % 2 == 0, scratch);
        uint64_t crossings = count_all(c, ends, tree);
        if (crossings < least) {
            least = crossings;
            memcpy(best, c->order, c->item_count * sizeof *best);
        }
    }
    memcpy(c->order, best, c->item_count * sizeof *best);
    for (uint32_t i = 0; i < c->item_count; i++)
        c->position[c->order[i]] = i;
    return OPAC_OK;
}

/* ---- vertical positions ---- */

/* Neighbouring items that were pooled: their distances are fixed. */
typedef struct pool {
    double sum, weight; /* weighted sum of preferred positions less offsets; sum of weights */
    uint32_t count;
} pool;

/* The preferred position of an item: the weighted mean of its neighbours' positions. */
static double preferred_y(const layout_columns *c, uint32_t item, bool both, bool by_left,
                          double *weight)
{
    double sum = 0, total = 0;
    if (both || by_left)
        for (uint32_t i = c->left_begin[item]; i < c->left_begin[item + 1]; i++) {
            const layout_link *link = &c->links[c->left[i]];
            sum += link->weight * c->items[link->left].y;
            total += link->weight;
        }
    if (both || !by_left)
        for (uint32_t i = c->right_begin[item]; i < c->right_begin[item + 1]; i++) {
            const layout_link *link = &c->links[c->right[i]];
            sum += link->weight * c->items[link->right].y;
            total += link->weight;
        }
    *weight = total > 0 ? total : 0.01;
    return total > 0 ? sum / total : c->items[item].y;
}

static void set_heights(layout_columns *c, uint32_t column, double gap, bool both, bool by_left,
                        pool *pools)
{
    uint32_t begin = c->begin[column], end = c->begin[column + 1], count = 0;
    double offset = 0;
    for (uint32_t i = begin; i < end; i++) {
        layout_item *item = &c->items[c->order[i]];
        double weight, y = preferred_y(c, c->order[i], both, by_left, &weight);
        if (i > begin)
            offset += c->items[c->order[i - 1]].down + gap + item->up;
        item->offset = offset;
        pools[count++] = (pool){weight * (y - offset), weight, 1};
        while (count > 1 && pools[count - 2].sum * pools[count - 1].weight >
                                pools[count - 1].sum * pools[count - 2].weight) {
            pools[count - 2].sum += pools[count - 1].sum;
            pools[count - 2].weight += pools[count - 1].weight;
            pools[count - 2].count += pools[count - 1].count;
            count--;
        }
    }
    uint32_t at = begin;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < pools[i].count; k++, at++) {
            layout_item *item = &c->items[c->order[at]];
            item->y = pools[i].sum / pools[i].weight + item->offset;
        }
}

opac_status layout_heights(layout_columns *c, double gap, base_arena *arena, opac_error *error)
{
    pool *pools = base_arena_alloc(arena, (size_t)c->item_count + 1, sizeof *pools);
    if (pools == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        bool by_left = i % 2 == 0, both = i >= ROUNDS / 2;
        for (uint32_t k = 0; k < c->column_count && !spend_column(c, k); k++)
            set_heights(c, by_left ? k : c->column_count - 1 - k, gap, both, by_left, pools);
    }
    return OPAC_OK;
}
