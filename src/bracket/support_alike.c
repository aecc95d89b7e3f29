/* SPDX-License-Identifier: MIT */
/*
 * Supports and intervals if rows are alike (docs/theory.md, Theorem 19). A row has a class, whose draws are those of all
 * its rows; of the row itself only the successors of outcomes need be seen.
 *
 *     class ──► intervals of outcomes ──► sums over the outcomes that lead to a successor  ┐
 *     row   ──► outcomes shown ──► rest: bound on all others ──► may go to any successor   ┴─► intervals
 *
 * In a row that is not complete, the rest is the unseen mass, and the intervals are those of the outcomes shown.
 * Shares of δ belong to classes, so the number of visits n_i of support.h does not complete a row. With p_min it is
 * complete once the rest is below p_min (half of it, so that later counts, which may widen an interval, do not make it
 * look incomplete to the checker), since a successor that was not shown would have at least p_min; or once
 * the rest is 0; or by the number of its successors. With a graph all rows are complete. In a complete row
 * the rest can go to its successors only, to any of them.
 */
#include <math.h>

#include "base/alloc.h"
#include "bracket/support_form.h"

/* The rest of a row with draws. */
static opac_status find_rest(bracket_support *s, uint32_t row, const sample_outcome_set **outcomes,
                             double *rest, opac_error *error)
{
    const sample_classes *c = s->stats->classes;
    sample_class_set set;
    TRY(sample_class_sets_get(s->classes, sample_classes_of_row(c, row), &set, outcomes, error));
    TRY(bracket_mark_vec_reserve(&s->marks, c->outcomes.count, error));
    while (s->marks.count < c->outcomes.count)
        s->marks.items[s->marks.count++] = 0;
    *rest = s->options.trusts_rows ? 0 : sample_class_sets_rest(c, row, *outcomes, s->marks.items);
    return OPAC_OK;
}

opac_status bracket_alike_is_complete(bracket_support *s, uint32_t row, bool *is_complete,
                                      opac_error *error)
{
    const sample_outcome_set *outcomes;
    double rest = 1;
    *is_complete = false;
    if (sample_classes_of_row(s->stats->classes, row) == SAMPLE_NO_OUTCOME)
        return OPAC_OK;
    TRY(find_rest(s, row, &outcomes, &rest, error));
    *is_complete = rest == 0 || rest < bracket_support_pmin(s, row) / 2;
    return OPAC_OK;
}

opac_status bracket_support_can_certify(bracket_support *s, bool *can_certify, opac_error *error)
{
    *can_certify = true;
    for (uint32_t row = 0; row < s->rows.count && s->options.graph == NULL; row++) {
        const sample_outcome_set *outcomes;
        double rest = 1, seen = s->stats->counters.items[row].ordered;
        if (!bracket_support_is_alike(s, row) || !bracket_support_is_complete(s, row) ||
            seen >= bracket_support_most_successors(s, row))
            continue;
        TRY(find_rest(s, row, &outcomes, &rest, error));
        *can_certify &=
            rest == 0 || rest < bracket_support_pmin(s, row) * (1 - 2 * BRACKET_ROUNDING);
    }
    return OPAC_OK;
}

bool bracket_support_is_open(const bracket_support *s, uint32_t row)
{
    return bracket_support_is_alike(s, row) &&
           !sample_classes_has_shown_all(s->stats->classes, row);
}

/* Adds the intervals of the outcomes that the row has shown to those of their successors. */
static opac_status add_outcomes(bracket_support *s, uint32_t row,
                                const sample_outcome_set *outcomes, stat_interval *intervals,
                                opac_error *error)
{
    const sample_classes *c = s->stats->classes;
    uint32_t width, branches = s->stats->rows.items[row].width;
    const uint32_t *order = sample_statistics_order(s->stats, row, &width);
    TRY(base_u32_vec_reserve(&s->branches, branches, error));
    for (uint32_t b = 0; b < branches; b++)
        s->branches.items[b] = SAMPLE_NONE;
    for (uint32_t i = 0; i < width; i++)
        s->branches.items[order[i]] = i;
    for (uint32_t k = sample_classes_first_shown(c, row); k != SAMPLE_NO_OUTCOME;
         k = c->shown.items[k].next) {
        uint32_t position = s->branches.items[c->shown.items[k].branch];
        stat_interval i = outcomes[c->shown.items[k].outcome].interval;
        if (position == SAMPLE_NONE) /* refutes the graph or the support */
            continue;
        intervals[position].lower += i.lower;
        intervals[position].upper += i.upper;
    }
    return OPAC_OK;
}

/* Of the outcomes shown; *rest: of all others. */
static opac_status compute(bracket_support *s, uint32_t row, stat_interval *intervals,
                           uint32_t width, double *rest, opac_error *error)
{
    const sample_outcome_set *outcomes;
    *rest = 1;
    for (uint32_t i = 0; i < width; i++)
        intervals[i] = (stat_interval){0, 0};
    if (sample_classes_of_row(s->stats->classes, row) == SAMPLE_NO_OUTCOME)
        return OPAC_OK;
    TRY(find_rest(s, row, &outcomes, rest, error));
    return add_outcomes(s, row, outcomes, intervals, error);
}

/* In a complete row the rest can go to any of the successors, but to nothing else. */
static opac_status compute_complete(bracket_support *s, uint32_t row, stat_interval *intervals,
                                    uint32_t width, opac_error *error)
{
    double rest;
    TRY(compute(s, row, intervals, width, &rest, error));
    for (uint32_t i = 0; i < width; i++)
        intervals[i].upper = fmin(1, intervals[i].upper + rest);
    return OPAC_OK;
}

/* An upper end below p_min refutes it, unless the successor may have a part of the rest. */
static void judge(bracket_support *s, uint32_t row, const stat_interval *intervals, uint32_t width,
                  double unseen)
{
    bracket_support_row *r = &s->rows.items[row];
    for (uint32_t i = 0; i < width && r->verdict == OPAC_REFUTED_NONE; i++)
        if (unseen == 0 && intervals[i].upper < bracket_support_pmin(s, row)) {
            r->verdict = OPAC_REFUTED_FREQUENCY;
            r->refuting = i;
        }
    if (r->verdict == OPAC_REFUTED_NONE &&
        bracket_support_admits_no_distribution(s, row, intervals, width, unseen))
        r->verdict = OPAC_REFUTED_SUM;
}

/* A row that is not complete: the rest is its unseen mass, wherever it goes. Its intervals are reserved. */
opac_status bracket_alike_update_open(bracket_support *s, uint32_t row, opac_error *error)
{
    bracket_support_row *r = &s->rows.items[row];
    uint32_t width = s->stats->counters.items[row].ordered;
    stat_interval *intervals = s->intervals.items + r->begin;
    TRY(compute(s, row, intervals, width, &r->unseen, error));
    for (uint32_t i = 0; i < width; i++)
        intervals[i].upper = fmin(1, intervals[i].upper);
    judge(s, row, intervals, width, r->unseen);
    return OPAC_OK;
}

opac_status bracket_alike_update(bracket_support *s, uint32_t row, opac_error *error)
{
    bracket_support_row *r = &s->rows.items[row];
    uint32_t width = s->stats->counters.items[row].ordered;
    stat_interval *intervals = s->intervals.items + r->begin;
    uint64_t stamp = bracket_support_stamp(s, row);
    if (r->interval_count == stamp)
        return OPAC_OK;
    r->verdict = OPAC_REFUTED_NONE;
    r->refuting = SAMPLE_NONE;
    if (width == 1)
        intervals[0] = (stat_interval){1, 1};
    else {
        s->computed += width;
        TRY(compute_complete(s, row, intervals, width, error));
        judge(s, row, intervals, width, 0);
        bracket_support_finish(s, row, intervals, width);
    }
    r->interval_count = stamp;
    return OPAC_OK;
}

/* The first row of a class. */
static uint32_t find_row(const sample_classes *c, uint32_t class)
{
    uint32_t row = 0;
    while (row < c->rows.count && c->rows.items[row].class != class)
        row++;
    return row;
}

opac_status bracket_alike_check(bracket_support *s, opac_error *error)
{
    const sample_statistics *stats = s->stats;
    const sample_classes *c = stats->classes;
    const sample_outcome_set *outcomes;
    if (s->found.kind == OPAC_REFUTED_NONE && c->refutation != OPAC_REFUTED_NONE) {
        const sample_row *row = &stats->rows.items[c->refuting_row];
        s->found =
            (sample_refutation){.kind = c->refutation,
                                .row = c->refuting_row,
                                .state = stats->targets.items[row->begin + c->refuting_branch],
                                .visits = stats->counters.items[c->refuting_row].count};
    }
    for (uint32_t i = 0; i < c->classes.count && s->found.kind == OPAC_REFUTED_NONE; i++) {
        sample_class_set set;
        if (c->classes.items[i].draws == 0)
            continue;
        TRY(sample_class_sets_get(s->classes, i, &set, &outcomes, error));
        if (set.refutation != OPAC_REFUTED_NONE)
            s->found = (sample_refutation){.kind = set.refutation,
                                           .row = find_row(c, i),
                                           .state = SAMPLE_NONE,
                                           .count = c->classes.items[i].outcomes,
                                           .visits = c->classes.items[i].draws};
    }
    return OPAC_OK;
}
