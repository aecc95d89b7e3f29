/* SPDX-License-Identifier: MIT */
/*
 * Rows that were tried and are not complete. The outcomes of an open row are the successors seen so far, and one
 * more for all others, *unseen*.
 *
 *     draws ──► discovery k: from, hits ──► interval of the k-th successor, by the draws after `from`
 *                                      └──► unseen mass, by the draws without a new successor
 *
 * Unseen mass (docs/theory.md, Theorem 13). Let α be the row's part of δ_unseen, and M_k the probability of all
 * successors but the first k. If the j draws after the k-th discovery showed no new successor, then
 * M_k ≤ 1 - (α/(k(k+1)))^(1/j). With probability at least 1 - α this holds for all k at all times. Since
 * M_k ≥ M_(k+1), the least of the bounds that were ever valid bounds the mass of what is unseen now. If this
 * least bound is below p_min, or if as many successors were seen as there can be, the mass is 0, and the row is
 * complete (support.c).
 *
 * Intervals (Lemma 20). The k-th successor has a confidence sequence with the share 1/(k(k+1)) of the row's part
 * of δ_discovery. Which successor is the k-th depends on the draws up to its discovery, so the sequence counts
 * only the draws after it: hits minus those up to `from`, of draws minus `from`. If the discovering draw
 * counted, the sequence would be wrong: each of 200 equally likely successors would begin with one hit of one
 * draw. Lower ends are cut at p_min.
 *
 * A reset without p_start is never complete. It uses δ_support and δ_unseen together for its mass, and
 * δ_interval and δ_discovery together for its intervals, since no other bound on it needs a part of them.
 */
#include <math.h>

#include "bracket/support_form.h"
#include "sample/statistics_form.h"
#include "stat/unseen.h"

bool bracket_support_is_start(const bracket_support *s, uint32_t row)
{
    return s->stats->rows_are_open && row == s->stats->reset_row &&
           !(bracket_support_pmin(s, row) > 0);
}

/* ln of the level of all bounds on the mass of a row. */
static double log_level(const bracket_support *s, uint32_t row)
{
    uint64_t index = bracket_support_index(s, row);
    return bracket_support_is_start(s, row) ? sample_budget_log_never_complete(&s->budget, index)
                                            : sample_budget_log_unseen(&s->budget, index);
}

/* The same with an allowance for the rounding of the checker. */
static double log_unseen(const bracket_support *s, uint32_t row)
{
    double log_alpha = log_level(s, row);
    return log_alpha - BRACKET_ROUNDING * (1 + fabs(log_alpha));
}

/* ln of the level of all intervals of a row. */
static double log_intervals(const bracket_support *s, uint32_t row)
{
    uint64_t index = bracket_support_index(s, row);
    return bracket_support_is_start(s, row)
               ? sample_budget_log_never_complete_interval(&s->budget, index)
               : sample_budget_log_discovered(&s->budget, index);
}

/* ---- completeness by unseen mass ---- */

/* Draws that showed no further successor after the last one, and the number of successors. */
static uint64_t count_last_quiet(const bracket_support *s, uint32_t row, uint64_t *seen)
{
    const sample_statistics *stats = s->stats;
    uint64_t last = 0, draws = stats->counters.items[row].count;
    *seen = 0;
    for (uint32_t b = 0; b < stats->rows.items[row].width; b++) {
        uint64_t from = sample_statistics_discovered(stats, row, b);
        *seen += from > 0;
        last = from > last ? from : last;
    }
    return draws - last;
}

/*
 * Whether the bound on the mass after the last discovery is below p_min. The relative allowance is for the
 * rounding of the checker, which may compute another bound.
 */
bool bracket_support_has_no_mass(const bracket_support *s, uint32_t row)
{
    uint64_t seen, draws = s->stats->counters.items[row].count;
    double pmin = bracket_support_pmin(s, row) * (1 - BRACKET_ROUNDING);
    /* The level is at most δ_unseen/2, so that fewer draws are not enough. */
    if (!(pmin > 0) || (double)draws * -log1p(-pmin) < -log(s->budget.unseen))
        return false;
    uint64_t quiet = count_last_quiet(s, row, &seen);
    return seen > 0 &&
           stat_unseen_mass(seen, quiet, log_unseen(s, row)) * bracket_support_mass_scale(s) < pmin;
}

/* ---- one row ---- */

double bracket_support_find_quiet(const bracket_support *s, uint32_t row,
                                  const sample_found_vec *found, uint64_t *after, uint64_t *quiet)
{
    uint64_t draws = s->stats->counters.items[row].count;
    double least = 1, log_alpha = log_unseen(s, row);
    *after = found->count;
    *quiet = sample_count_quiet(found, draws, found->count);
    for (size_t k = found->count; k > 0; k--) {
        uint64_t j = sample_count_quiet(found, draws, k);
        double mass = stat_unseen_mass(k, j, log_alpha) * bracket_support_mass_scale(s);
        if (mass < least) {
            least = mass;
            *after = k;
            *quiet = j;
        }
    }
    return (double)found->count >= bracket_support_most_successors(s, row) ? 0 : least;
}

static void find_intervals(bracket_support *s, uint32_t row, stat_interval *intervals)
{
    const sample_statistics *stats = s->stats;
    bracket_support_row *r = &s->rows.items[row];
    uint32_t width;
    const uint32_t *order = sample_statistics_order(stats, row, &width);
    double log_row = log_intervals(s, row);
    uint64_t draws = stats->counters.items[row].count, own = s->options.counts_discovery ? 1 : 0;
    for (uint32_t k = 1; k <= width; k++) {
        const sample_found *f = &s->discoveries.items[k - 1];
        uint64_t hits = sample_statistics_observed(stats, row, order[f->position]) - f->hits;
        stat_interval i = bracket_support_estimate(s, hits + own, draws - f->draw + own,
                                                   sample_budget_log_discovery(log_row, k));
        intervals[f->position] = i;
        if (i.upper < bracket_support_pmin(s, row) && r->verdict == OPAC_REFUTED_NONE) {
            r->verdict = OPAC_REFUTED_FREQUENCY;
            r->refuting = f->position;
        }
    }
}

/* Widens all intervals outwards for the rounding of the checker, then cuts their upper ends. With rows alike, lower ends
 * are not cut at p_min: a part of a successor's probability may be in the unseen mass. */
static void widen(const bracket_support *s, uint32_t row, stat_interval *intervals, uint32_t width)
{
    bracket_support_row *r = &s->rows.items[row];
    double lower = 0;
    for (uint32_t i = 0; i < width; i++) {
        intervals[i] = bracket_support_is_alike(s, row)
                           ? sample_interval_widen(intervals[i], 0, width)
                           : bracket_support_widen(s, row, intervals[i], width);
        lower += intervals[i].lower;
    }
    sample_intervals_tighten(intervals, width, lower);
    if (r->unseen > 0)
        r->unseen = fmin(1, r->unseen * (1 + BRACKET_ROUNDING) + sample_interval_margin(width));
}

/* Intervals, unseen mass and verdict of a row by its own draws. */
static opac_status find_by_discoveries(bracket_support *s, uint32_t row, opac_error *error)
{
    bracket_support_row *r = &s->rows.items[row];
    stat_interval *intervals = s->intervals.items + r->begin;
    TRY(sample_row_discoveries(s->stats, row, &s->discoveries, error));
    r->unseen = bracket_support_find_quiet(s, row, &s->discoveries, &r->quiet_after, &r->quiet);
    find_intervals(s, row, intervals);
    /* Without the allowance, so that the bound of the checker is larger. */
    double mass = r->unseen > 0 ? stat_unseen_mass(r->quiet_after, r->quiet, log_level(s, row)) : 0;
    if (r->verdict == OPAC_REFUTED_NONE &&
        bracket_support_admits_no_distribution(s, row, intervals, (uint32_t)s->discoveries.count,
                                               mass))
        r->verdict = OPAC_REFUTED_SUM;
    return OPAC_OK;
}

opac_status bracket_support_update_open(bracket_support *s, uint32_t row, opac_error *error)
{
    bracket_support_row *r = &s->rows.items[row];
    uint64_t stamp = bracket_support_stamp(s, row);
    if (r->interval_count == stamp)
        return OPAC_OK;
    uint32_t width = s->stats->counters.items[row].ordered;
    TRY(bracket_support_reserve_intervals(s, row, width, error));
    r->verdict = OPAC_REFUTED_NONE;
    r->refuting = SAMPLE_NONE;
    s->computed += width;
    TRY(bracket_support_is_alike(s, row) ? bracket_alike_update_open(s, row, error)
                                         : find_by_discoveries(s, row, error));
    stat_interval *intervals = s->intervals.items + r->begin;
    if (r->verdict == OPAC_REFUTED_NONE)
        widen(s, row, intervals, width);
    else {
        bracket_support_admit_all(s, row, intervals, width);
        r->unseen = 1;
    }
    r->interval_count = stamp;
    return OPAC_OK;
}
