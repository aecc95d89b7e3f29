/* SPDX-License-Identifier: MIT */
/*
 * The row of a random reset without a bound on its probabilities and without a graph. It is never
 * complete: its outcomes are the successors seen so far, and one more for all others, *unseen*. It need
 * not be complete, because nothing leads to the place before the reset, so no end component contains it.
 *
 *     draws ──► discovery k: from, hits ──► interval of the k-th successor, by the draws after `from`
 *                                      └──► unseen mass, by the draws without a new successor
 *
 * Unseen mass (docs/theory.md, Theorem 13). Let α be the row's part of δ_support, and M_k the probability
 * of all successors but the first k. If the j draws after the k-th discovery showed no new successor, then
 * M_k ≤ 1 - (α/(k(k+1)))^(1/j). With probability at least 1 - α this holds for all k at all times. Since
 * M_k ≥ M_(k+1), the least of the bounds that were ever valid bounds the mass of what is unseen now. If the
 * declared number of successors was seen, the mass is 0.
 *
 * Intervals (docs/theory.md, Lemma 20). The k-th successor has a confidence sequence with the share
 * 1/(k(k+1)) of the row's part of δ_interval. Which successor is the k-th depends on the draws up to its
 * discovery, so the sequence counts only the draws after it: hits minus those up to `from`, of draws minus
 * `from`. If the discovering draw counted, the sequence would be wrong: each of 200 equally likely
 * successors would begin with one hit of one draw.
 *
 * Refutation. All that is assumed about the row is that draws are independent and identically distributed.
 * If no distribution lies within the intervals and the mass, this is refuted.
 */
#include <math.h>

#include "bracket/support_form.h"
#include "stat/unseen.h"

bool bracket_support_is_start(const bracket_support *s, uint32_t row)
{
    return s->stats->tracks_discoveries && row == s->stats->reset_row;
}

/* The j of Theorem 13: draws between the k-th discovery and the next one, or up to now. */
static uint64_t count_quiet(const sample_statistics *stats, uint64_t k)
{
    const sample_discovery *d = stats->discoveries.items;
    uint64_t end =
        k < stats->discoveries.count ? d[k].before : stats->counters.items[stats->reset_row].count;
    return end > d[k - 1].from ? end - d[k - 1].from : 0;
}

static void find_unseen(bracket_support *s)
{
    bracket_support_start *start = &s->start;
    uint64_t seen = start->intervals.count;
    uint64_t index = bracket_support_index(s, s->stats->reset_row);
    double log_alpha = sample_budget_log_support(&s->budget, index);
    log_alpha -= BRACKET_ROUNDING * (1 + fabs(log_alpha));
    start->unseen = 1;
    start->quiet_after = seen;
    start->quiet = seen > 0 ? count_quiet(s->stats, seen) : 0;
    for (uint64_t k = seen; k > 0; k--) {
        uint64_t quiet = count_quiet(s->stats, k);
        double mass = stat_unseen_mass(k, quiet, log_alpha);
        if (mass < start->unseen) {
            start->unseen = mass;
            start->quiet_after = k;
            start->quiet = quiet;
        }
    }
    if ((double)seen >= bracket_support_most_successors(s, s->stats->reset_row))
        start->unseen = 0;
}

/* Positions of the discovered branches in the row's order. */
static opac_status find_places(bracket_support *s, opac_error *error)
{
    uint32_t width, row = s->stats->reset_row, branches = s->stats->rows.items[row].width;
    const uint32_t *order = sample_statistics_order(s->stats, row, &width);
    TRY(base_u32_vec_reserve(&s->start.places, branches, error));
    TRY(bracket_interval_vec_reserve(&s->start.intervals, width, error));
    s->start.places.count = branches;
    s->start.intervals.count = width;
    for (uint32_t i = 0; i < width; i++)
        s->start.places.items[order[i]] = i;
    return OPAC_OK;
}

static void find_intervals(bracket_support *s)
{
    const sample_statistics *stats = s->stats;
    uint32_t row = stats->reset_row, width = (uint32_t)s->start.intervals.count;
    double log_row = sample_budget_log_interval(&s->budget, bracket_support_index(s, row));
    uint64_t draws = stats->counters.items[row].count;
    for (uint32_t k = 1; k <= width; k++) {
        const sample_discovery *d = &stats->discoveries.items[k - 1];
        uint64_t hits = sample_statistics_observed(stats, row, d->branch) - d->hits;
        s->start.intervals.items[s->start.places.items[d->branch]] = bracket_support_estimate(
            s, hits, draws - d->from, sample_budget_log_discovery(log_row, k));
    }
}

/* After a refutation nothing is known about the row. */
static void admit_all(bracket_support *s)
{
    for (size_t i = 0; i < s->start.intervals.count; i++)
        s->start.intervals.items[i] = (stat_interval){0, 1};
    s->start.unseen = 1;
}

/* Widens all intervals outwards for the rounding of the checker, then cuts their upper ends. */
static void widen(bracket_support *s)
{
    uint32_t width = (uint32_t)s->start.intervals.count;
    stat_interval *intervals = s->start.intervals.items;
    double lower = 0, margin = sample_interval_margin(width);
    for (uint32_t i = 0; i < width; i++) {
        intervals[i] = bracket_support_widen(s, s->stats->reset_row, intervals[i], width);
        lower += intervals[i].lower;
    }
    sample_intervals_tighten(intervals, width, lower);
    if (s->start.unseen > 0)
        s->start.unseen = fmin(1, s->start.unseen * (1 + BRACKET_ROUNDING) + margin);
}

/* Successors discovered since the last refresh are not in the order yet; they still count as unseen. */
opac_status bracket_support_update_start(bracket_support *s, opac_error *error)
{
    bracket_support_row *r = &s->rows.items[s->stats->reset_row];
    uint64_t count = s->stats->counters.items[s->stats->reset_row].count;
    if (r->interval_count == count)
        return OPAC_OK;
    TRY(find_places(s, error));
    r->interval_count = count;
    r->verdict = OPAC_REFUTED_NONE;
    r->refuting = SAMPLE_NONE;
    find_unseen(s);
    find_intervals(s);
    uint32_t width = (uint32_t)s->start.intervals.count;
    if (bracket_support_admits_no_distribution(s, s->stats->reset_row, s->start.intervals.items,
                                               width, s->start.unseen)) {
        r->verdict = OPAC_REFUTED_SUM;
        admit_all(s);
    } else
        widen(s);
    return OPAC_OK;
}

opac_status bracket_support_get_start(bracket_support *s, bracket_start *start, opac_error *error)
{
    *start = (bracket_start){0};
    if (!s->stats->tracks_discoveries || s->stats->discoveries.count == 0 ||
        !s->stats->counters.items[s->stats->reset_row].known)
        return OPAC_OK;
    opac_status status = bracket_support_update_start(s, error);
    *start = (bracket_start){.intervals = s->start.intervals.items,
                             .width = (uint32_t)s->start.intervals.count,
                             .unseen = s->start.unseen,
                             .quiet_after = s->start.quiet_after,
                             .quiet = s->start.quiet};
    return status;
}
