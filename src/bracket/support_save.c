/* SPDX-License-Identifier: MIT */
/*
 * The complete rows as words of a checkpoint:
 *
 *     with pmin_of: number of rows, its value for each of them (0 for the reset), as bits
 *     number of complete rows, whether the graph was explored
 *     for each complete row, ascending:   its number, its width, its branches in their order
 *     if the reset is never complete (support_start.c):
 *         number of discoveries, number of them at the last refresh
 *         for each discovery:             its branch, before, from, hits
 *
 * Counts are part of the statistics. Intervals are recomputed.
 */
#include <string.h>

#include "bracket/support_form.h"
#include "sample/statistics_restore.h"

enum {
    HEAD = 2,
    EACH = 2,
    DISCOVERIES_HEAD = 2,
    DISCOVERY = 4
};

static opac_status save_discoveries(const sample_statistics *stats, base_u64_vec *words,
                                    opac_error *error)
{
    size_t count = stats->discoveries.count;
    if (!stats->tracks_discoveries)
        return OPAC_OK;
    TRY(base_u64_vec_reserve(words, words->count + DISCOVERIES_HEAD + DISCOVERY * count, error));
    words->items[words->count++] = count;
    words->items[words->count++] = stats->counters.items[stats->reset_row].ordered;
    for (size_t i = 0; i < count; i++) {
        const sample_discovery *d = &stats->discoveries.items[i];
        words->items[words->count++] = d->branch;
        words->items[words->count++] = d->before;
        words->items[words->count++] = d->from;
        words->items[words->count++] = d->hits;
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
    return bracket_support_reserve_intervals(s, row, error);
}

/* Whether a discovery is consistent with the previous one (NULL: none) and with the counts of its row. */
static bool can_follow(const sample_statistics *stats, const sample_discovery *before,
                       const sample_discovery *d)
{
    bool is_same = before != NULL && d->before == before->before && d->from == before->from;
    uint64_t least = before == NULL || is_same ? 0 : before->from;
    return d->before >= least && d->before < d->from &&
           d->from <= stats->counters.items[stats->reset_row].count && d->hits > 0 &&
           d->hits <= d->from - d->before &&
           d->hits <= sample_statistics_observed(stats, stats->reset_row, d->branch);
}

/*
 * Whether the discoveries name each counted branch exactly once. Restoring the counters has left one
 * discovery for each branch in stats->discoveries.
 */
static bool has_all_discoveries(bracket_support *s, const sample_discovery *found, size_t count)
{
    const sample_statistics *stats = s->stats;
    if (count != stats->discoveries.count)
        return false;
    for (size_t i = 0; i < count; i++)
        s->start.places.items[found[i].branch] = 0;
    for (size_t i = 0; i < count; i++)
        if (s->start.places.items[found[i].branch]++ != 0)
            return false;
    return true;
}

static opac_status restore_discoveries(bracket_support *s, const uint64_t *words, size_t count,
                                       size_t *used, opac_error *error)
{
    sample_statistics *stats = s->stats;
    sample_discovery_vec found = {0};
    if (!stats->tracks_discoveries)
        return OPAC_OK;
    if (count < DISCOVERIES_HEAD || words[0] > (count - DISCOVERIES_HEAD) / DISCOVERY ||
        words[1] > words[0])
        return refuse(error);
    uint32_t width = stats->rows.items[stats->reset_row].width;
    opac_status status;
    TRY_OR(done, base_u32_vec_reserve(&s->start.places, width, error));
    for (size_t i = 0; i < words[0]; i++) {
        const uint64_t *at = words + DISCOVERIES_HEAD + DISCOVERY * i;
        sample_discovery d = {
            .branch = (uint32_t)at[0], .before = at[1], .from = at[2], .hits = at[3]};
        if (at[0] >= width || !can_follow(stats, i > 0 ? &found.items[i - 1] : NULL, &d))
            TRY_OR(done, refuse(error));
        TRY_OR(done, sample_discovery_vec_push(&found, d, error));
    }
    if (!has_all_discoveries(s, found.items, found.count))
        TRY_OR(done, refuse(error));
    sample_discovery_vec before = stats->discoveries;
    stats->discoveries = found;
    found = before;
    *used += DISCOVERIES_HEAD + DISCOVERY * (size_t)words[0];
    size_t product_states = stats->product_states.count;
    TRY_OR(done, sample_statistics_list_starts(stats, (size_t)words[1], error));
    if (stats->product_states.count != product_states) /* the saved run had added them already */
        TRY_OR(done, refuse(error));
done:
    sample_discovery_vec_fini(&found);
    return status;
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
    if (count < HEAD || words[0] != stats->known || words[1] > (s->options.graph != NULL))
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
    TRY(restore_discoveries(s, words + at, count - at, used, error));
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
