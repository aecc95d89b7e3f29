/* SPDX-License-Identifier: MIT */
/*
 * The intervals of complete rows, and what refutes what was assumed.
 *
 * A row's intervals admit a distribution if Σ lower ≤ 1 ≤ Σ upper. The truth is one, so if it lies
 * within they do: and where they do not, or an upper end is below p_min,
 * it does not. The 1e-9 by which they are widened is far more than the rounding of these sums.
 *
 * Of a refuted row the intervals are those of any model with p_min.
 */
#include <math.h>

#include "learn/support_form.h"
#include "learn/world_form.h"
#include "stat/sequence.h"

/* ---- intervals ---- */

static double least(const learn_support *s)
{
    return s->options.uncut ? 0 : s->options.pmin * (1 - 2 * LEARN_SPARE);
}

/* ln α */
static double log_alpha(const learn_support *s, uint32_t row, uint32_t width)
{
    double log_all = log(s->delta_interval) + log(learn_support_share(s, row));
    if (s->options.hoeffding) /* of one side: twice the alpha of both */
        return log_all - log((double)width / 2);
    return width > 2 ? log_all - log((double)width) : log_all;
}

/* What another program's means may be off by, of a row with so many successors, whatever the
 * probabilities are: where an end is very small, a share of it is not enough. */
static double margin(uint32_t width)
{
    return (width + 4.0) * 1e-13;
}

static stat_interval widen(stat_interval i, uint32_t width)
{
    i.lower = i.lower * (1 - LEARN_SPARE) - margin(width);
    i.upper = i.upper * (1 + LEARN_SPARE) + margin(width);
    return (stat_interval){i.lower > 0 ? i.lower : 0, i.upper < 1 ? i.upper : 1};
}

static stat_interval estimate(const learn_support *s, uint64_t n, uint64_t all, uint32_t width,
                              double log_a)
{
    const learn_support_options *o = &s->options;
    double p = all > 0 ? (double)n / (double)all : 0.5;
    stat_interval i = o->hoeffding ? stat_sequence_hoeffding(n, all, log_a)
                                   : stat_sequence_jeffreys(n, all, log_a);
    if (o->hoeffding)
        i.upper = 1;
    if (o->narrow > 0)
        i = (stat_interval){p - o->narrow * (p - i.lower), p + o->narrow * (i.upper - p)};
    return widen(i, width);
}

/* Each by itself; the verdict is of these. */
static void observe(learn_support *s, uint32_t row, stat_interval *intervals)
{
    uint32_t width;
    const uint32_t *order = learn_world_order(s->world, row, &width);
    double log_a = log_alpha(s, row, width);
    uint64_t all = 0;
    for (uint32_t i = 0; i < width; i++)
        all += learn_world_observed(s->world, row, order[i]);
    for (uint32_t i = 0; i < width; i++) {
        uint64_t n = learn_world_observed(s->world, row, order[i]);
        intervals[i] = estimate(s, n, all, width, log_a);
        if (intervals[i].upper < s->options.pmin &&
            s->rows.items[row].verdict == OPAC_REFUTED_NOT) {
            s->rows.items[row].verdict = OPAC_REFUTED_FREQUENCY;
            s->rows.items[row].culprit = i;
        }
        if (intervals[i].lower < least(s) - margin(width))
            intervals[i].lower = fmax(least(s) - margin(width), 0);
    }
}

/* Each upper end to what the others' lower ends leave, rounded up. */
static void tighten(stat_interval *intervals, uint32_t width, double lower)
{
    for (uint32_t i = 0; i < width; i++) {
        double most = 1 - (lower - intervals[i].lower) + (width + 4) * 0x1p-52;
        if (most < intervals[i].upper)
            intervals[i].upper = most;
    }
}

static void admit_all(const learn_support *s, stat_interval *intervals, uint32_t width)
{
    double p = least(s) * width <= 1 ? least(s) : 0;
    for (uint32_t i = 0; i < width; i++)
        intervals[i] = (stat_interval){p, 1};
}

void learn_support_renew(learn_support *s, uint32_t row)
{
    learn_support_row *r = &s->rows.items[row];
    uint32_t width = s->world->counters.items[row].ordered;
    stat_interval *intervals = s->intervals.items + r->begin;
    double lower = 0, upper = 0;
    if (r->counted == s->world->counters.items[row].count)
        return;
    r->counted = s->world->counters.items[row].count;
    r->verdict = OPAC_REFUTED_NOT;
    r->culprit = LEARN_NONE;
    if (width == 1) {
        intervals[0] = (stat_interval){1, 1};
        return;
    }
    s->computed += width;
    observe(s, row, intervals);
    for (uint32_t i = 0; i < width; i++) {
        lower += intervals[i].lower;
        upper += intervals[i].upper;
    }
    if (r->verdict == OPAC_REFUTED_NOT && (lower > 1 || upper < 1))
        r->verdict = OPAC_REFUTED_SUM;
    if (r->verdict == OPAC_REFUTED_NOT)
        tighten(intervals, width, lower);
    else
        admit_all(s, intervals, width);
}

opac_status learn_support_intervals(learn_support *s, uint32_t row, const stat_interval **intervals,
                                    opac_error *error)
{
    if (row >= s->rows.count || !learn_support_is_complete(s, row))
        return base_fail(error, OPAC_ERROR_INTERNAL, "a row has no intervals: it is not complete");
    learn_support_renew(s, row);
    *intervals = s->intervals.items + s->rows.items[row].begin;
    return OPAC_OK;
}

/* ---- what is refuted ---- */

static bool is_in_order(const learn_world *world, uint32_t row, uint32_t branch)
{
    uint32_t width;
    const uint32_t *order = learn_world_order(world, row, &width);
    for (uint32_t i = 0; i < width; i++)
        if (order[i] == branch)
            return true;
    return false;
}

/* How many branches were observed, and the first, by key, that a complete row does not have. */
static uint32_t look_at_branches(const learn_support *s, uint32_t row, uint32_t *outside)
{
    const learn_world *world = s->world;
    const learn_row *r = &world->rows.items[row];
    uint32_t seen = 0;
    *outside = LEARN_NONE;
    for (uint32_t b = 0; b < r->width; b++) {
        if (learn_world_observed(world, row, b) == 0)
            continue;
        seen++;
        if (!learn_support_is_complete(s, row) || is_in_order(world, row, b))
            continue;
        if (*outside == LEARN_NONE ||
            learn_world_precedes(world, world->targets.items[r->begin + b],
                                 world->targets.items[r->begin + *outside]))
            *outside = b;
    }
    return seen;
}

static learn_refutation refute(const learn_support *s, opac_refutation kind, uint32_t row,
                               uint32_t branch)
{
    const learn_world *world = s->world;
    learn_refutation found = {
        .kind = kind, .row = row, .state = LEARN_NONE, .visits = world->counters.items[row].count};
    if (branch == LEARN_NONE)
        return found;
    found.state = world->targets.items[world->rows.items[row].begin + branch];
    found.count = learn_world_observed(world, row, branch);
    return found;
}

static learn_refutation look(learn_support *s, uint32_t row)
{
    uint32_t outside, seen = look_at_branches(s, row, &outside);
    const learn_counter *counter = &s->world->counters.items[row];
    if (counter->complete && counter->ordered > seen)
        seen = counter->ordered;
    if ((double)seen > s->most) {
        learn_refutation found = refute(s, OPAC_REFUTED_WIDTH, row, LEARN_NONE);
        found.count = seen;
        return found;
    }
    if (outside != LEARN_NONE)
        return refute(s, s->options.graph != NULL ? OPAC_REFUTED_EDGE : OPAC_REFUTED_SUPPORT, row,
                      outside);
    if (!counter->complete)
        return (learn_refutation){.row = LEARN_NONE, .state = LEARN_NONE};
    learn_support_renew(s, row);
    const learn_support_row *r = &s->rows.items[row];
    if (r->verdict == OPAC_REFUTED_NOT)
        return (learn_refutation){.row = LEARN_NONE, .state = LEARN_NONE};
    return refute(s, r->verdict, row,
                  r->culprit != LEARN_NONE ? s->world->order.items[counter->order + r->culprit]
                                           : LEARN_NONE);
}

opac_status learn_support_check(learn_support *s, learn_refutation *found, opac_error *error)
{
    opac_status status = learn_support_grow(s, error);
    for (uint32_t row = 0; row < s->rows.count && status == OPAC_OK; row++) {
        uint64_t count = s->world->counters.items[row].count;
        if (s->found.kind != OPAC_REFUTED_NOT || s->rows.items[row].looked == count)
            continue;
        s->rows.items[row].looked = count;
        s->found = look(s, row);
    }
    *found = s->found;
    return status;
}
