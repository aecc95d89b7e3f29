/* SPDX-License-Identifier: MIT */
/*
 * The intervals of complete rows, and the refutation of assumptions. Those of open rows: support_open.c.
 *
 * A row's intervals admit a distribution if Σ lower ≤ 1 ≤ Σ upper. If the true distribution lies within
 * the intervals, they admit one. So if they admit none, or an upper end is below the row's p_min, then an
 * assumption or an interval is wrong, which has probability at most δ if the assumptions are true.
 *
 * The test uses the intervals before they are widened, with an allowance for the rounding of the sums.
 * The checker allows for 1e-10 more, so it accepts every row that is not refuted here (docs/theory.md,
 * Theorem 15).
 *
 * A refuted row gets the trivial intervals [p_min, 1].
 */
#include <math.h>

#include "bracket/support_form.h"
#include "sample/statistics_form.h"
#include "stat/sequence.h"

/* ---- intervals ---- */

/* The row's p_min, reduced by a relative allowance; 0 if lower ends are not cut. */
static double least_lower(const bracket_support *s, uint32_t row, double allowance)
{
    return s->options.no_pmin_cut ? 0 : bracket_support_pmin(s, row) * (1 - allowance);
}

/* ln α, the level of each sequence of the row. */
static double log_alpha(const bracket_support *s, uint32_t row, uint32_t width)
{
    double log_row = sample_budget_log_interval(&s->budget, bracket_support_index(s, row));
    return sample_budget_log_successor(log_row, width, s->options.hoeffding);
}

stat_interval bracket_support_widen(const bracket_support *s, uint32_t row, stat_interval i,
                                    uint32_t width)
{
    return sample_interval_widen(i, least_lower(s, row, 2 * BRACKET_ROUNDING), width);
}

stat_interval bracket_support_estimate(const bracket_support *s, uint64_t n, uint64_t all,
                                       double log_a)
{
    const bracket_support_options *o = &s->options;
    double p = all > 0 ? (double)n / (double)all : 0.5;
    stat_interval i = o->hoeffding ? stat_sequence_hoeffding(n, all, log_a)
                                   : stat_sequence_jeffreys(n, all, log_a);
    if (o->hoeffding)
        i.upper = 1;
    if (o->interval_scale > 0)
        i = (stat_interval){p - o->interval_scale * (p - i.lower),
                            p + o->interval_scale * (i.upper - p)};
    return i;
}

/* The sequence of each successor by itself; an upper end below p_min refutes p_min. */
static void compute_sequences(bracket_support *s, uint32_t row, stat_interval *intervals)
{
    uint32_t width;
    const uint32_t *order = sample_statistics_order(s->stats, row, &width);
    double log_a = log_alpha(s, row, width);
    uint64_t all = 0;
    for (uint32_t i = 0; i < width; i++)
        all += sample_statistics_observed(s->stats, row, order[i]);
    for (uint32_t i = 0; i < width; i++) {
        uint64_t n = sample_statistics_observed(s->stats, row, order[i]);
        intervals[i] = bracket_support_estimate(s, n, all, log_a);
        if (intervals[i].upper < bracket_support_pmin(s, row) &&
            s->rows.items[row].verdict == OPAC_REFUTED_NONE) {
            s->rows.items[row].verdict = OPAC_REFUTED_FREQUENCY;
            s->rows.items[row].refuting = i;
        }
    }
}

bool bracket_support_admits_no_distribution(const bracket_support *s, uint32_t row,
                                            const stat_interval *intervals, uint32_t width,
                                            double unseen)
{
    double lower = 0, upper = unseen, rounding = (width + 4) * 0x1p-51;
    for (uint32_t i = 0; i < width; i++) {
        lower += fmax(intervals[i].lower, least_lower(s, row, BRACKET_ROUNDING));
        upper += intervals[i].upper;
    }
    return lower > 1 + rounding || upper < 1 - rounding;
}

void bracket_support_admit_all(const bracket_support *s, uint32_t row, stat_interval *intervals,
                               uint32_t width)
{
    double p = least_lower(s, row, 2 * BRACKET_ROUNDING);
    p = p * width <= 1 ? p : 0;
    for (uint32_t i = 0; i < width; i++)
        intervals[i] = (stat_interval){p, 1};
}

void bracket_support_finish(const bracket_support *s, uint32_t row, stat_interval *intervals,
                            uint32_t width)
{
    double lower = 0;
    if (s->rows.items[row].verdict != OPAC_REFUTED_NONE) {
        bracket_support_admit_all(s, row, intervals, width);
        return;
    }
    for (uint32_t i = 0; i < width; i++) {
        intervals[i] = bracket_support_widen(s, row, intervals[i], width);
        lower += intervals[i].lower;
    }
    sample_intervals_tighten(intervals, width, lower);
}

/* Recomputes the intervals and the verdict of a complete row if its counts changed. */
static void update_complete(bracket_support *s, uint32_t row)
{
    bracket_support_row *r = &s->rows.items[row];
    uint32_t width = s->stats->counters.items[row].ordered;
    stat_interval *intervals = s->intervals.items + r->begin;
    if (r->interval_count == bracket_support_stamp(s, row))
        return;
    r->interval_count = bracket_support_stamp(s, row);
    r->unseen = 0;
    r->verdict = OPAC_REFUTED_NONE;
    r->refuting = SAMPLE_NONE;
    if (width == 1) {
        intervals[0] = (stat_interval){1, 1};
        return;
    }
    s->computed += width;
    compute_sequences(s, row, intervals);
    if (r->verdict == OPAC_REFUTED_NONE &&
        bracket_support_admits_no_distribution(s, row, intervals, width, 0))
        r->verdict = OPAC_REFUTED_SUM;
    bracket_support_finish(s, row, intervals, width);
}

static opac_status update_row(bracket_support *s, uint32_t row, opac_error *error)
{
    if (!bracket_support_is_complete(s, row))
        return bracket_support_update_open(s, row, error);
    if (bracket_support_is_alike(s, row))
        return bracket_alike_update(s, row, error);
    update_complete(s, row);
    return OPAC_OK;
}

double bracket_support_unseen(const bracket_support *s, uint32_t row)
{
    return bracket_support_is_complete(s, row) ? 0 : s->rows.items[row].unseen;
}

opac_status bracket_support_get(bracket_support *s, uint32_t row, bracket_row_set *set,
                                opac_error *error)
{
    if (row >= s->rows.count || s->stats->counters.items[row].ordered == 0)
        return base_fail(error, OPAC_ERROR_INTERNAL, "a row has no intervals: nothing was seen");
    TRY(update_row(s, row, error));
    const bracket_support_row *r = &s->rows.items[row];
    *set = (bracket_row_set){.intervals = s->intervals.items + r->begin,
                             .width = s->stats->counters.items[row].ordered,
                             .is_complete = bracket_support_is_complete(s, row)};
    if (set->is_complete)
        return OPAC_OK;
    set->unseen = r->unseen;
    set->quiet_after = r->quiet_after;
    set->quiet = r->quiet;
    return OPAC_OK;
}

/* ---- refutation ---- */

static bool is_in_order(const sample_statistics *stats, uint32_t row, uint32_t branch)
{
    uint32_t width;
    const uint32_t *order = sample_statistics_order(stats, row, &width);
    for (uint32_t i = 0; i < width; i++)
        if (order[i] == branch)
            return true;
    return false;
}

/* Number of observed branches; *outside: the first, by key, that is not in the support of a complete row. */
static uint32_t count_branches(const bracket_support *s, uint32_t row, uint32_t *outside)
{
    const sample_statistics *stats = s->stats;
    const sample_row *r = &stats->rows.items[row];
    uint32_t seen = 0;
    *outside = SAMPLE_NONE;
    for (uint32_t b = 0; b < r->width; b++) {
        if (sample_statistics_observed(stats, row, b) == 0)
            continue;
        seen++;
        if (!bracket_support_is_complete(s, row) || is_in_order(stats, row, b))
            continue;
        if (*outside == SAMPLE_NONE ||
            sample_statistics_precedes(stats, stats->targets.items[r->begin + b],
                                       stats->targets.items[r->begin + *outside]))
            *outside = b;
    }
    return seen;
}

static sample_refutation refute(const bracket_support *s, opac_refutation kind, uint32_t row,
                                uint32_t branch)
{
    const sample_statistics *stats = s->stats;
    sample_refutation found = {
        .kind = kind, .row = row, .state = SAMPLE_NONE, .visits = stats->counters.items[row].count};
    if (branch == SAMPLE_NONE)
        return found;
    found.state = stats->targets.items[stats->rows.items[row].begin + branch];
    found.count = sample_statistics_observed(stats, row, branch);
    return found;
}

static opac_status check_row(bracket_support *s, uint32_t row, opac_error *error)
{
    uint32_t outside, seen = count_branches(s, row, &outside);
    const sample_counter *counter = &s->stats->counters.items[row];
    if (counter->complete && counter->ordered > seen)
        seen = counter->ordered;
    if ((double)seen > bracket_support_most_by_pmin(s, row)) {
        s->found = refute(s, OPAC_REFUTED_WIDTH, row, SAMPLE_NONE);
        s->found.count = seen;
        return OPAC_OK;
    }
    if (outside != SAMPLE_NONE) {
        s->found = refute(s, s->options.graph != NULL ? OPAC_REFUTED_EDGE : OPAC_REFUTED_SUPPORT,
                          row, outside);
        return OPAC_OK;
    }
    if (counter->ordered == 0)
        return OPAC_OK;
    TRY(update_row(s, row, error));
    const bracket_support_row *r = &s->rows.items[row];
    if (r->verdict != OPAC_REFUTED_NONE)
        s->found =
            refute(s, r->verdict, row,
                   r->refuting != SAMPLE_NONE ? s->stats->order.items[counter->order + r->refuting]
                                              : SAMPLE_NONE);
    return OPAC_OK;
}

opac_status bracket_support_check(bracket_support *s, sample_refutation *found, opac_error *error)
{
    TRY(bracket_support_grow(s, error));
    if (s->classes != NULL)
        TRY(bracket_alike_check(s, error));
    for (uint32_t row = 0; row < s->rows.count; row++) {
        uint64_t count = bracket_support_stamp(s, row);
        if (s->found.kind != OPAC_REFUTED_NONE || s->rows.items[row].checked_count == count)
            continue;
        s->rows.items[row].checked_count = count;
        TRY(check_row(s, row, error));
    }
    *found = s->found;
    return OPAC_OK;
}
