/* SPDX-License-Identifier: MIT */
/*
 * The complete rows as words of a checkpoint:
 *
 *     with pmin_of: number of rows, its value for each of them (0 for the reset), as bits
 *     number of complete rows, whether the graph was explored
 *     for each complete row, ascending:   its number, its width, its branches in their order
 *     number of rows that take turns though they are known; their numbers, ascending
 *     if rows are open, for each branch with observations, by row:
 *         the draw of its discovery; with batches also before and hits
 *
 * Counts are part of the statistics. Intervals are recomputed.
 */
#include <stdlib.h>
#include <string.h>

#include "bracket/support_form.h"
#include "sample/statistics_restore.h"

enum {
    HEAD = 2,
    EACH = 2
};

static opac_status save_discoveries(const sample_statistics *stats, base_u64_vec *words,
                                    opac_error *error)
{
    for (uint32_t c = 0; stats->rows_are_open && c < stats->counters.count; c++)
        for (uint32_t b = 0; b < stats->counters.items[c].capacity; b++) {
            if (sample_statistics_observed(stats, c, b) == 0)
                continue;
            sample_discovery d = sample_statistics_discovery(stats, c, b);
            TRY(base_u64_vec_push(words, d.from, error));
            if (stats->has_batches) {
                TRY(base_u64_vec_push(words, d.before, error));
                TRY(base_u64_vec_push(words, d.hits, error));
            }
        }
    return OPAC_OK;
}

static opac_status save_wanted(const sample_statistics *stats, base_u64_vec *words,
                               opac_error *error)
{
    size_t at = words->count;
    TRY(base_u64_vec_push(words, 0, error));
    for (uint32_t c = 0; c < stats->counters.count; c++)
        if (stats->counters.items[c].wanted) {
            TRY(base_u64_vec_push(words, c, error));
            words->items[at]++;
        }
    return OPAC_OK;
}

static opac_status save_pmin(const bracket_support *s, base_u64_vec *words, opac_error *error)
{
    if (s->options.pmin_of == NULL)
        return OPAC_OK;
    TRY(base_u64_vec_reserve(words, words->count + 1 + s->rows.count, error));
    words->items[words->count++] = s->rows.count;
    for (size_t i = 0; i < s->rows.count; i++)
        memcpy(&words->items[words->count++], &s->rows.items[i].pmin, sizeof(uint64_t));
    return OPAC_OK;
}

opac_status bracket_support_save(const bracket_support *s, base_u64_vec *words, opac_error *error)
{
    const sample_statistics *stats = s->stats;
    size_t rows = 0, branches = 0;
    TRY(save_pmin(s, words, error));
    for (uint32_t row = 0; row < s->rows.count; row++)
        if (bracket_support_is_complete(s, row)) {
            rows++;
            branches += stats->counters.items[row].ordered;
        }
    size_t needed = words->count + HEAD + EACH * rows + branches;
    TRY(base_u64_vec_reserve(words, needed, error));
    words->items[words->count++] = rows;
    words->items[words->count++] = s->explored;
    for (uint32_t row = 0; row < s->rows.count; row++) {
        uint32_t width;
        const uint32_t *order = sample_statistics_order(stats, row, &width);
        if (!bracket_support_is_complete(s, row))
            continue;
        words->items[words->count++] = row;
        words->items[words->count++] = width;
        for (uint32_t i = 0; i < width; i++)
            words->items[words->count++] = order[i];
    }
    TRY(save_wanted(stats, words, error));
    return save_discoveries(stats, words, error);
}

/* ---- restoring ---- */

static opac_status refuse(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT, "the supports do not match the observations");
}

/* Restores the branches of a row. Without a graph each must have observations. */
static opac_status restore_row(bracket_support *s, uint32_t row, const uint64_t *words,
                               uint64_t width, opac_error *error)
{
    s->branches.count = 0;
    for (uint64_t i = 0; i < width; i++) {
        if (words[i] >= SAMPLE_NONE ||
            (s->options.graph == NULL &&
             sample_statistics_observed(s->stats, row, (uint32_t)words[i]) == 0))
            return refuse(error);
        TRY(base_u32_vec_push(&s->branches, (uint32_t)words[i], error));
    }
    TRY(sample_restore_order(s->stats, row, s->branches.items, (uint32_t)width, error));
    return bracket_support_reserve_intervals(s, row, (uint32_t)width, error);
}

static opac_status restore_wanted(sample_statistics *stats, const uint64_t *words, size_t count,
                                  size_t *used, opac_error *error)
{
    uint64_t next = 0; /* rows ascend */
    if (*used == count || words[*used] > count - *used - 1)
        return refuse(error);
    size_t rows = (size_t)words[(*used)++];
    for (size_t i = 0; i < rows; i++, ++*used) {
        if (words[*used] < next || words[*used] >= stats->counters.count)
            return refuse(error);
        sample_counter *c = &stats->counters.items[words[*used]];
        if (!c->known || c->complete)
            return refuse(error);
        c->wanted = true;
        next = words[*used] + 1;
    }
    return OPAC_OK;
}

static int compare(const void *a, const void *b)
{
    const sample_found *one = a, *other = b;
    return one->draw < other->draw ? -1 : one->draw > other->draw;
}

/*
 * Whether some sequence of draws has these discoveries, sorted by time. Successors that were discovered in one
 * batch have the same time. Before it, all draws of the batch but these hits led to earlier successors, and
 * enough draws after it are left for the other observations.
 */
static bool are_possible(const sample_statistics *stats, uint32_t row,
                         const sample_found_vec *found)
{
    uint64_t last = 0, earlier = 0, draws = stats->counters.items[row].count;
    for (size_t k = 0, next; k < found->count; k = next) {
        const sample_found *first = &found->items[k];
        uint64_t hits = 0, all = 0;
        for (next = k; next < found->count && found->items[next].draw == first->draw; next++) {
            const sample_found *f = &found->items[next];
            uint64_t observed = sample_statistics_observed(stats, row, f->position);
            if (f->before != first->before || f->hits == 0 || f->hits > observed ||
                observed - f->hits > draws - f->draw)
                return false;
            hits += f->hits;
            all += observed;
        }
        if (first->before < last || first->before >= first->draw ||
            hits > first->draw - first->before || first->draw > earlier + hits)
            return false;
        last = first->draw;
        earlier += all;
    }
    return true;
}

static opac_status restore_row_discoveries(bracket_support *s, uint32_t row, const uint64_t *words,
                                           size_t count, size_t *used, opac_error *error)
{
    sample_statistics *stats = s->stats;
    const sample_counter *c = &stats->counters.items[row];
    size_t each = stats->has_batches ? 3 : 1;
    s->discoveries.count = 0;
    for (uint32_t b = 0; b < c->capacity; b++) {
        size_t at = (size_t)c->begin + b;
        if (sample_statistics_observed(stats, row, b) == 0)
            continue;
        if (count - *used < each || words[*used] == 0 || words[*used] > c->count)
            return refuse(error);
        stats->discovered.items[at] = words[*used];
        for (size_t i = 1; i < each; i++)
            stats->batches.items[2 * at + i - 1] = words[*used + i];
        *used += each;
        sample_discovery d = sample_statistics_discovery(stats, row, b);
        sample_found f = {.draw = d.from, .position = b, .before = d.before, .hits = d.hits};
        TRY(sample_found_vec_push(&s->discoveries, f, error));
    }
    if (s->discoveries.count > 1)
        qsort(s->discoveries.items, s->discoveries.count, sizeof *s->discoveries.items, compare);
    return are_possible(stats, row, &s->discoveries) ? OPAC_OK : refuse(error);
}

static opac_status restore_discoveries(bracket_support *s, const uint64_t *words, size_t count,
                                       size_t *used, opac_error *error)
{
    for (uint32_t row = 0; s->stats->rows_are_open && row < s->stats->counters.count; row++)
        TRY(restore_row_discoveries(s, row, words, count, used, error));
    return OPAC_OK;
}

/* Adds the rows, which with pmin_of are those that had a value when the checkpoint was written. */
static opac_status restore_pmin(bracket_support *s, const uint64_t *words, size_t count,
                                size_t *used, opac_error *error)
{
    *used = 0;
    if (s->options.pmin_of == NULL)
        return bracket_support_grow(s, error);
    if (count == 0 || words[0] > s->stats->rows.count || words[0] > count - 1)
        return refuse(error);
    for (uint64_t i = 0; i < words[0]; i++) {
        double pmin;
        memcpy(&pmin, &words[1 + i], sizeof pmin);
        bool is_unknown = i == s->stats->reset_row || s->options.graph != NULL;
        if (!(pmin >= 0 && pmin <= 1) || (pmin == 0 && !is_unknown))
            return refuse(error);
    }
    *used = 1 + (size_t)words[0];
    return bracket_support_grow_to(s, (size_t)words[0], words + 1, error);
}

static opac_status restore_rows(bracket_support *s, const uint64_t *words, size_t count,
                                size_t *used, opac_error *error)
{
    const sample_statistics *stats = s->stats;
    size_t at = HEAD;
    if (count < HEAD || words[0] > stats->known ||
        (!stats->rows_are_open && words[0] != stats->known) ||
        words[1] > (s->options.graph != NULL))
        return refuse(error);
    uint64_t next = 0; /* rows ascend: the least number that the next one may have */
    for (uint64_t i = 0; i < words[0]; i++) {
        if (count - at < EACH || words[at] < next || words[at] >= s->rows.count ||
            words[at + 1] > count - at - EACH)
            return refuse(error);
        next = words[at] + 1;
        TRY(restore_row(s, (uint32_t)words[at], words + at + EACH, words[at + 1], error));
        at += EACH + (size_t)words[at + 1];
    }
    s->explored = words[1] != 0;
    *used = at;
    TRY(restore_wanted(s->stats, words, count, used, error));
    TRY(restore_discoveries(s, words, count, used, error));
    return sample_restore_check(s->stats, error);
}

opac_status bracket_support_restore(bracket_support *s, const uint64_t *words, size_t count,
                                    size_t *used, opac_error *error)
{
    size_t first;
    TRY(restore_pmin(s, words, count, &first, error));
    TRY(restore_rows(s, words + first, count - first, used, error));
    *used += first;
    return OPAC_OK;
}
