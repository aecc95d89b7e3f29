/* SPDX-License-Identifier: MIT */
/*
 * Rows that are alike: checks that the draws of classes and of rows fit each other, and computes intervals of rows from
 * those of classes (docs/theory.md, Theorem 19).
 *
 * Claim: if rows are alike as assumed, then with probability at least 1 - delta.support - delta.interval the
 * successors of every complete row are all there are, and every probability lies in its interval. The parts of the
 * argument follow.
 *
 * Draws of a class. Which row is taken next, and so its class, is decided by the past; the probability of an outcome
 * depends on the class only. So the draws of a class are independent draws from one distribution, in whatever rows, and
 * the arguments of intervals.c for an open row hold for a class in its place, with the share of its index. Indices of
 * classes, and of the reset, are distinct.
 *
 * Outcomes. The k-th outcome of a class has an interval [a, b] by the draws after its discovery, at the level
 * delta.interval · share(i) / (k(k+1)). All outcomes but the first k have together at most M_k, the least over 1 … k of
 * the bounds at the level delta.support · share(i) / (k(k+1)); so the (k+1)-th has at most M_k, too. If M_k is below
 * pmin_outcome, or k outcomes are as many as pmin_outcome allows, M_k is 0.
 *
 * Rest. The outcomes that a row has not shown have together at most one minus the sum of a over those that it has; and
 * for every k at most M_k plus the sum of b over those of the first k outcomes that it has not shown. A
 * successor of the row that was not seen has only such outcomes. So a row whose rest is 0 or below pmin has no other
 * successor. The probability of a successor is at least the sum of a, and at most the sum of b plus the rest, over the
 * outcomes that led to it, because the successor is a function of the row and the outcome.
 *
 * Existence. Some sequence of draws has the counts and discoveries of a class if and only if for each k the draws before
 * the (k+1)-th discovery are at most all draws of the first k outcomes.
 */
#include <float.h>
#include <math.h>

#include "verify/verify.h"

static const double margin = 1e-9; /* relative margin of pmin and pmin_outcome, as in intervals.c */
static const double sum_tolerance = 1e-10; /* of sums of probabilities */

/* ---- counts ---- */

static void check_draws(verify_certificate *c, const verify_class *class, uint32_t i)
{
    uint64_t draws = 0;
    for (uint32_t k = 0; k < class->count && verify_is_ok(c); k++) {
        const verify_outcome *o = &class->outcome[k];
        if (k == 0 ? o->from != 1 : o->from <= o[-1].from || o->from - 1 > draws)
            verify_refuse(c, "classes", i, "a discovery does not fit the draws before it");
        draws += o->count;
    }
    if (verify_is_ok(c) && class->outcome[class->count - 1].from > draws)
        verify_refuse(c, "classes", i, "a discovery comes after the last draw");
}

/* The draws that a row has shown are those of its counts; they are added to the class. */
static void check_row(verify_certificate *c, verify_row *row, uint32_t i)
{
    uint64_t *sums = verify_alloc(c, row->width, sizeof *sums);
    for (uint32_t k = 0; k < row->shown_count && verify_is_ok(c); k++) {
        const verify_shown *s = &row->shown[k];
        sums[s->branch] += s->count;
        row->class->outcome[s->outcome].shown += s->count;
    }
    for (uint32_t b = 0; b < row->width && verify_is_ok(c); b++)
        if (sums[b] != row->branch[b].count)
            verify_refuse(c, "rows", i, "shown does not fit its counts");
}

static void check_sums(verify_certificate *c)
{
    for (uint32_t i = 0; i < c->class_count && verify_is_ok(c); i++)
        for (uint32_t k = 0; k < c->class[i].count; k++)
            if (c->class[i].outcome[k].shown != c->class[i].outcome[k].count)
                verify_refuse(c, "classes", i, "its draws are not those of the rows");
}

/* ---- bounds ---- */

/* M_k for every k. Fails if outcomes are complete before the last one. */
static void find_later(verify_certificate *c, verify_class *class, double log_share, uint32_t i)
{
    double least = 1;
    double most = c->pmin_outcome > 0 ? floor((1 + margin) / c->pmin_outcome) : INFINITY;
    for (uint32_t k = 0; k < class->count; k++) {
        verify_outcome *o = &class->outcome[k];
        uint64_t end = k + 1 < class->count ? o[1].from - 1 : class->draws;
        double log_a = log(c->support) + log_share + verify_log_part(k + 1);
        log_a -= VERIFY_LOG_MARGIN * (1 + fabs(log_a));
        double mass = end > o->from ? -expm1(log_a / (double)(end - o->from)) : 1;
        least = fmin(least, mass * (1 + VERIFY_LOG_MARGIN));
        bool is_complete =
            least < c->pmin_outcome * (1 - VERIFY_LOG_MARGIN) || (double)(k + 1) >= most;
        o->later = is_complete ? 0 : least;
        if (is_complete && k + 1 < class->count)
            verify_refuse(c, "classes", i,
                          "the counts contradict pmin_outcome: an outcome comes after all");
    }
}

static void find_intervals(const verify_certificate *c, verify_class *class, double log_share)
{
    double before = 1;
    for (uint32_t k = 0; k < class->count; k++) {
        verify_outcome *o = &class->outcome[k];
        double log_alpha = log(c->interval) + log_share + verify_log_part(k + 1);
        log_alpha -= VERIFY_LOG_MARGIN * (1 + fabs(log_alpha));
        verify_sequence(o->count - 1, class->draws - o->from, log_alpha, &o->low, &o->high);
        o->high = fmin(o->high, before);
        before = o->later;
    }
}

/* Whether some distribution lies within the intervals. */
static bool is_feasible(const verify_certificate *c, const verify_class *class)
{
    double low = 0, high = class->outcome[class->count - 1].later;
    double slack = sum_tolerance + 8 * ((double)class->count + 1) * DBL_EPSILON;
    double least = c->pmin_outcome * (1 - margin);
    for (uint32_t k = 0; k < class->count; k++) {
        const verify_outcome *o = &class->outcome[k];
        if (o->high < fmax(o->low, least) - slack)
            return false;
        low += fmax(o->low, least);
        high += o->high;
    }
    return low <= 1 + slack && high >= 1 - slack;
}

/* After the test; each low end is at least that of pmin_outcome. */
static void raise_lows(const verify_certificate *c, verify_class *class)
{
    for (uint32_t k = 0; k < class->count; k++)
        class->outcome[k].low = fmax(class->outcome[k].low, c->pmin_outcome * (1 - margin));
}

void verify_classes(verify_certificate *c,
                    double (*log_share)(const verify_certificate *, uint64_t))
{
    for (uint32_t i = 0; i < c->class_count && verify_is_ok(c); i++)
        check_draws(c, &c->class[i], i);
    for (uint32_t i = 0; i < c->row_count && verify_is_ok(c); i++)
        if (c->row[i].state != VERIFY_NONE)
            check_row(c, &c->row[i], i);
    check_sums(c);
    for (uint32_t i = 0; i < c->class_count && verify_is_ok(c); i++) {
        verify_class *class = &c->class[i];
        find_later(c, class, log_share(c, class->index), i);
        find_intervals(c, class, log_share(c, class->index));
        if (verify_is_ok(c) && !is_feasible(c, class))
            verify_refuse(
                c, "classes", i,
                "the counts contradict what is assumed: no probabilities lie in the intervals");
        raise_lows(c, class);
    }
}

/* ---- rows ---- */

/* The outcomes of a row ascend, so one pass over the class finds those that it has not shown. */
static double find_rest(const verify_row *row)
{
    double shown = 0, unshown = 0, least = 1;
    const verify_class *class = row->class;
    if (class == NULL)
        return 1;
    for (uint32_t k = 0, at = 0; k < class->count; k++) {
        if (at < row->shown_count && row->shown[at].outcome == k) {
            shown += class->outcome[k].low;
            at++;
        } else
            unshown += class->outcome[k].high;
        least = fmin(least, class->outcome[k].later + unshown);
    }
    least = fmin(least, fmax(1 - shown, 0));
    return least > 0 ? fmin(1, least + 4 * ((double)class->count + 4) * DBL_EPSILON) : 0;
}

void verify_find_alike(verify_row *row, double pmin)
{
    double rest = find_rest(row);
    bool is_shown = (row->class != NULL && rest == 0) || rest < pmin * (1 - margin);
    row->is_complete = row->may_be_complete && (row->is_complete || is_shown);
    for (uint32_t b = 0; b < row->width; b++)
        row->branch[b].low = row->branch[b].high = 0;
    for (uint32_t k = 0; k < row->shown_count && row->class != NULL; k++) {
        const verify_outcome *o = &row->class->outcome[row->shown[k].outcome];
        row->branch[row->shown[k].branch].low += o->low;
        row->branch[row->shown[k].branch].high += o->high;
    }
    row->is_open = !row->is_complete;
    row->unseen = row->is_open ? rest : 0;
    for (uint32_t b = 0; b < row->width && row->is_complete; b++) {
        verify_branch *branch = &row->branch[b];
        branch->low = fmax(branch->low, pmin * (1 - margin));
        branch->high = fmin(1, branch->high + rest);
        if (row->width == 1)
            branch->low = branch->high = 1;
    }
    for (uint32_t b = 0; b < row->width; b++)
        row->branch[b].high = fmin(1, row->branch[b].high);
}
