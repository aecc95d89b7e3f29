/* SPDX-License-Identifier: MIT */
/* Row sets with unseen mass: see row_sets.h. */
#include "sample/row_sets.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stat/sequence.h"
#include "stat/unseen.h"

BASE_VEC(interval_vec, stat_interval);

/* A row set, as computed for a count of the row; UINT64_MAX: not computed. */
typedef struct kept_set {
    uint64_t count;
    size_t begin; /* of its intervals */
    uint32_t capacity;
    sample_row_set set; /* without intervals */
} kept_set;
BASE_VEC(kept_set_vec, kept_set);

struct sample_row_sets {
    const sample_statistics *stats;
    sample_row_sets_options options;
    kept_set_vec rows;
    interval_vec intervals;
    sample_found_vec found; /* scratch */
};

/* ---- intervals of the learner and of the checker ---- */

double sample_interval_margin(double width)
{
    return (width + 4.0) * 1e-13;
}

stat_interval sample_interval_widen(stat_interval i, double least, uint32_t width)
{
    double margin = sample_interval_margin(width);
    i.lower = fmax(i.lower * (1 - SAMPLE_INTERVAL_ROUNDING), least);
    i.upper = i.upper * (1 + SAMPLE_INTERVAL_ROUNDING) + margin;
    return (stat_interval){fmax(i.lower - margin, 0), fmin(i.upper, 1)};
}

/* 1 - (sum of the other lower ends), rounded up: the others have at least their lower ends. */
void sample_intervals_tighten(stat_interval *intervals, uint32_t width, double lower)
{
    for (uint32_t i = 0; i < width; i++) {
        double most = 1 - (lower - intervals[i].lower) + (width + 4) * 0x1p-52;
        if (most < intervals[i].upper)
            intervals[i].upper = most;
    }
}

/* ---- construction ---- */

opac_status sample_row_sets_new(const sample_statistics *stats,
                                const sample_row_sets_options *options, sample_row_sets **sets,
                                opac_error *error)
{
    sample_row_sets *made = base_alloc_zeroed(1, sizeof *made);
    *sets = made;
    if (made == NULL)
        return base_fail_memory(error);
    made->stats = stats;
    made->options = *options;
    return OPAC_OK;
}

void sample_row_sets_free(sample_row_sets *sets)
{
    if (sets == NULL)
        return;
    kept_set_vec_fini(&sets->rows);
    interval_vec_fini(&sets->intervals);
    sample_found_vec_fini(&sets->found);
    base_free(sets);
}

const sample_budget *sample_row_sets_budget(const sample_row_sets *sets)
{
    return &sets->options.budget;
}

uint64_t sample_row_sets_index(uint32_t row)
{
    return (uint64_t)row + 1;
}

/* ---- discoveries ---- */

static int compare(const void *a, const void *b)
{
    const sample_found *one = a, *other = b;
    if (one->draw != other->draw)
        return one->draw < other->draw ? -1 : 1;
    return one->position < other->position ? -1 : one->position > other->position;
}

static opac_status add_discovery(const sample_statistics *stats, uint32_t row, uint32_t branch,
                                 uint32_t position, sample_found_vec *found, opac_error *error)
{
    sample_discovery d = sample_statistics_discovery(stats, row, branch);
    return sample_found_vec_push(
        found,
        (sample_found){.draw = d.from, .position = position, .before = d.before, .hits = d.hits},
        error);
}

static void sort_discoveries(sample_found_vec *found)
{
    if (found->count > 1)
        qsort(found->items, found->count, sizeof *found->items, compare);
}

opac_status sample_row_discoveries(const sample_statistics *stats, uint32_t row,
                                   sample_found_vec *found, opac_error *error)
{
    uint32_t width;
    const uint32_t *order = sample_statistics_order(stats, row, &width);
    found->count = 0;
    for (uint32_t i = 0; i < width; i++)
        TRY(add_discovery(stats, row, order[i], i, found, error));
    sort_discoveries(found);
    return OPAC_OK;
}

static uint32_t count_observed(const sample_statistics *stats, uint32_t row)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < stats->rows.items[row].width; b++)
        count += sample_statistics_observed(stats, row, b) > 0;
    return count;
}

static bool has_branch(const sample_found_vec *found, uint32_t count, uint32_t branch)
{
    for (uint32_t i = 0; i < count; i++)
        if (found->items[i].position == branch)
            return true;
    return false;
}

opac_status sample_branch_discoveries(const sample_statistics *stats, uint32_t row,
                                      sample_found_vec *found, opac_error *error)
{
    uint32_t width;
    const uint32_t *order = sample_statistics_order(stats, row, &width);
    TRY(sample_row_discoveries(stats, row, found, error));
    for (uint32_t i = 0; i < width; i++)
        found->items[i].position = order[found->items[i].position];
    if (width == count_observed(stats, row))
        return OPAC_OK;
    for (uint32_t b = 0; b < stats->rows.items[row].width; b++)
        if (sample_statistics_observed(stats, row, b) > 0 && !has_branch(found, width, b))
            TRY(add_discovery(stats, row, b, b, found, error));
    sort_discoveries(found);
    return OPAC_OK;
}

uint64_t sample_count_quiet(const sample_found_vec *found, uint64_t draws, size_t k)
{
    uint64_t end = k < found->count ? found->items[k].before : draws;
    return end > found->items[k - 1].draw ? end - found->items[k - 1].draw : 0;
}

/* ---- one row ---- */

static double log_margin(double log_alpha)
{
    return log_alpha - SAMPLE_INTERVAL_ROUNDING * (1 + fabs(log_alpha));
}

static void find_unseen(const sample_row_sets *s, uint32_t row, uint64_t draws, sample_row_set *set)
{
    double log_alpha =
        log_margin(sample_budget_log_support(&s->options.budget, sample_row_sets_index(row)));
    set->unseen = 1;
    set->quiet_after = s->found.count;
    set->quiet = sample_count_quiet(&s->found, draws, s->found.count);
    for (size_t k = s->found.count; k > 0; k--) {
        uint64_t quiet = sample_count_quiet(&s->found, draws, k);
        double mass = stat_unseen_mass(k, quiet, log_alpha);
        if (mass < set->unseen) {
            set->unseen = mass;
            set->quiet_after = k;
            set->quiet = quiet;
        }
    }
    if (s->options.no_unseen ||
        (s->options.branching > 0 && s->found.count >= s->options.branching))
        set->unseen = 0;
}

static void find_intervals(const sample_row_sets *s, uint32_t row, uint64_t draws,
                           stat_interval *intervals)
{
    uint32_t width;
    const uint32_t *order = sample_statistics_order(s->stats, row, &width);
    double log_row = sample_budget_log_interval(&s->options.budget, sample_row_sets_index(row));
    uint64_t own = s->options.counts_discovery ? 0 : 1;
    for (uint32_t k = 1; k <= width; k++) {
        const sample_found *f = &s->found.items[k - 1];
        uint64_t hits = sample_statistics_observed(s->stats, row, order[f->position]);
        intervals[f->position] = stat_sequence_jeffreys(hits - own, draws - (f->draw - 1 + own),
                                                        sample_budget_log_discovery(log_row, k));
    }
}

/* Whether no distribution lies within the intervals and the unseen mass. Allows for the rounding of the sums. */
static bool admits_none(const stat_interval *intervals, uint32_t width, double unseen)
{
    double lower = 0, upper = unseen, rounding = (width + 4) * 0x1p-51;
    for (uint32_t i = 0; i < width; i++) {
        lower += intervals[i].lower;
        upper += intervals[i].upper;
    }
    return lower > 1 + rounding || upper < 1 - rounding;
}

static void widen(stat_interval *intervals, uint32_t width, sample_row_set *set)
{
    double lower = 0;
    for (uint32_t i = 0; i < width; i++) {
        intervals[i] =
            set->is_empty ? (stat_interval){0, 1} : sample_interval_widen(intervals[i], 0, width);
        lower += intervals[i].lower;
    }
    sample_intervals_tighten(intervals, width, lower);
    if (set->is_empty)
        set->unseen = 1;
    else if (set->unseen > 0)
        set->unseen =
            fmin(1, set->unseen * (1 + SAMPLE_INTERVAL_ROUNDING) + sample_interval_margin(width));
}

/* Makes room for the intervals of a row. */
static opac_status reserve(sample_row_sets *s, kept_set *kept, uint32_t width, opac_error *error)
{
    size_t begin = s->intervals.count, capacity = 2 * (size_t)width;
    if (width <= kept->capacity)
        return OPAC_OK;
    if (capacity > UINT32_MAX)
        return base_fail_memory(error);
    for (size_t i = 0; i < capacity; i++)
        TRY(interval_vec_push(&s->intervals, (stat_interval){0, 1}, error));
    kept->begin = begin;
    kept->capacity = (uint32_t)capacity;
    return OPAC_OK;
}

static opac_status compute(sample_row_sets *s, uint32_t row, kept_set *kept, opac_error *error)
{
    uint64_t draws = s->stats->counters.items[row].count;
    TRY(sample_row_discoveries(s->stats, row, &s->found, error));
    uint32_t width = (uint32_t)s->found.count;
    TRY(reserve(s, kept, width, error));
    kept->set = (sample_row_set){.width = width, .unseen = 1};
    stat_interval *intervals = s->intervals.items + kept->begin;
    if (width > 0) {
        find_unseen(s, row, draws, &kept->set);
        find_intervals(s, row, draws, intervals);
        kept->set.is_empty =
            !s->options.no_unseen && admits_none(intervals, width, kept->set.unseen);
        widen(intervals, width, &kept->set);
    }
    kept->count = draws;
    return OPAC_OK;
}

opac_status sample_row_sets_get(sample_row_sets *s, uint32_t row, sample_row_set *set,
                                opac_error *error)
{
    while (s->rows.count < s->stats->rows.count)
        TRY(kept_set_vec_push(&s->rows, (kept_set){.count = UINT64_MAX}, error));
    kept_set *kept = &s->rows.items[row];
    if (kept->count != s->stats->counters.items[row].count)
        TRY(compute(s, row, kept, error));
    *set = kept->set;
    set->intervals = s->intervals.items + kept->begin;
    return OPAC_OK;
}
