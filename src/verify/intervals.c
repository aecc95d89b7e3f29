/* SPDX-License-Identifier: MIT */
/*
 * Computes from the counts which rows are complete, and intervals for their probabilities.
 *
 * Claim: with probability at least 1 minus the parts of delta, the successors of every complete row are all
 * there are, the unseen mass of every open row is at most its bound, and every probability lies in its interval
 * (docs/theory.md, Theorem 12). The parts of the argument follow.
 *
 * Shares. Row i has the share 1/(i(i+1)) of each part of delta. These sum to at most 1 for any number of
 * rows. If at most R rows are declared, the share is the mean of that and 1/R, and the sum is again at
 * most 1. The index of a row is fixed before its first visit, so a union bound over rows applies
 * (docs/theory.md, Lemma 16).
 *
 * Completeness (docs/theory.md, Lemma 19). A successor with probability at least pmin is missed by n visits
 * with probability at most (1-pmin)^n, and there are at most b successors. So a row with
 * b (1-pmin)^n <= delta.support · share(i) has an unseen successor with probability at most
 * delta.support · share(i). A row with b seen successors has no other.
 *
 * Intervals (docs/theory.md, Theorem 11). Let p be the probability of a successor, and let S of n visits
 * lead to it. The mixture
 *     B(S+1/2, n-S+1/2) / B(1/2, 1/2) / (p^S (1-p)^(n-S))
 * is a mean of likelihood ratios over Jeffreys' prior, so a martingale with initial value 1. By Ville's
 * inequality (1939) it ever reaches 1/alpha with probability at most alpha. So with probability at least
 * 1 - alpha, at all times at once, p lies in the set where the mixture is below 1/alpha. A row with w
 * successors uses alpha = delta.interval · share(i) / w for each of them. The union bound over these w is
 * sound: if the support is right, w is the true number of successors, which is not random (docs/theory.md,
 * Lemma 18). For w = 2 it uses delta.interval · share(i), because the sequence of one successor is the
 * mirror image of the other.
 *
 * Bounds by row. If pmin is given by a function of state and action, each row states its own value, which is
 * believed like any other bound: it must be fixed before the first sample, and so must not depend on counts.
 *
 * Reset. Its row uses pmin_start in place of pmin. If neither pmin_start nor the graph is assumed, the
 * row is open, and never complete.
 *
 * Open rows. A row that is not complete, and whose discoveries are given, is open: its unseen successors are
 * bounded instead. With pmin these bounds have parts of delta of their own, unseen and discovery, in place of
 * support and interval; the reset without pmin_start uses the sum of both, since it is never complete.
 *
 * Unseen mass of an open row (docs/theory.md, Theorem 13). Let M be the total probability of all successors
 * but the first k that were seen, and a = delta.support · share(i) / (k(k+1)). Claim: M <= 1 - a^(1/j)
 * whenever the j visits after the discovery of the k-th successor show no other one, except with
 * probability at most a. Given the visits up to that discovery, M is a fixed number, and the next j visits
 * show no other successor with probability (1-M)^j. Let j* be the least j with (1-M)^j < a. If the bound
 * fails for some j, then j >= j*, so the first j* visits have shown no other successor, which has
 * probability below a. The values a sum to at most delta.support · share(i) over all k. The mass outside
 * of all seen successors is at most the mass outside of the first k, so any k is sound; the certificate
 * names the best one. If the assumed maximum number of successors was seen, the mass is 0. An unseen successor has
 * at least pmin, so a bound below pmin means that there is none, and the row is complete.
 *
 * Rows alike. Other rows than the reset have no shares; their intervals come from classes (verify_classes.c).
 *
 * With a bound T on the recurrence time every row is open, because nothing is assumed that could make it
 * complete; the unseen mass counts for the upper bound wherever it is.
 *
 * Intervals of an open row (docs/theory.md, Lemma 20). The identity of the k-th successor is determined by
 * the visits up to its discovery; given those, later visits are independent draws. So its sequence counts
 * only the visits after its discovery, with alpha = delta.interval · share(i) / (k(k+1)).
 *
 * Rounding. All parts of delta are reduced by a relative 1e-12, which exceeds all rounding errors in them.
 *
 * The test that the intervals of a row admit a distribution has a tolerance of 1e-10. Afterwards each
 * interval is widened by 2e-10 at both ends, so that a row that passes admits a distribution. Wider
 * intervals are sound, because later steps take the worst case over them.
 */
#include <float.h>
#include <math.h>

#include "verify/verify.h"

#define PI 3.14159265358979323846
static const double pmin_margin =
    1e-9; /* relative margin of pmin: 1/93 is not a double, but allows 93 successors */
static const double sum_tolerance = 1e-10; /* tolerance of sums of probabilities */
static const double widening = 2e-10;      /* relative widening of the ends of intervals */

/* ---- the confidence sequence ---- */

/*
 * lnΓ(x+1/2) - (x ln x - x + ½ ln 2π) for integral x. For x >= 16 by its asymptotic expansion
 * Σ B_2k(1/2) / (2k (2k-1) x^(2k-1)), whose error is below the first omitted term,
 * 0.00085 x^-9 < 2e-14; else from Γ(x+1/2) = √π · 1/2 · 3/2 ··· (x-1/2).
 */
static double stirling_error_half(double x)
{
    double y = 1 / (x * x), product = 1;
    if (x >= 16)
        return (-1.0 / 24 + y * (7.0 / 2880 + y * (-31.0 / 40320 + y * (127.0 / 215040)))) / x;
    for (int i = 0; i < (int)x; i++)
        product *= i + 0.5;
    double stirling = x > 0 ? x * log(x) - x : 0;
    return log(product) - stirling - log(2.0) / 2;
}

/* ln n! - (n ln n - n + ½ ln 2πn) for n >= 1, in the same way: the error is below 0.00085 n^-9. */
static double stirling_error(double n)
{
    double y = 1 / (n * n), product = 1;
    if (n >= 16)
        return (1.0 / 12 + y * (-1.0 / 360 + y * (1.0 / 1260 + y * (-1.0 / 1680)))) / n;
    for (int i = 2; i <= (int)n; i++)
        product *= i;
    return log(product) - (n * log(n) - n + log(2 * PI * n) / 2);
}

/*
 * x - ln(1+x) for x > -1, which is never negative. For |x| <= 0.1 by its series x²/2 - x³/3 + …, which
 * has no cancellation; beyond 0.1 the difference loses a factor of at most 30.
 */
static double log_gap(double x)
{
    if (fabs(x) > 0.1)
        return x <= -1 ? INFINITY : x - log1p(x);
    double sum = 0;
    for (int k = 20; k >= 2; k--)
        sum = 1.0 / k - x * sum;
    return x * x * sum;
}

/*
 * n KL(S/n || p) for p = S/n + d. With p̂ = S/n,
 *     S ln(p̂/p) + (n-S) ln((1-p̂)/(1-p)) = S h(d/p̂) + (n-S) h(-d/(1-p̂)),   h(x) = x - ln(1+x),
 * because the linear terms cancel: -nd + nd = 0. This is a sum of nonnegative terms, so it has full
 * relative precision. If S is 0 or n, one term vanishes and the other one is a logarithm.
 */
static double divergence(double successes, double trials, double d)
{
    double failures = trials - successes;
    if (successes == 0)
        return d < 1 ? -trials * log1p(-d) : INFINITY;
    if (failures == 0)
        return d > -1 ? -trials * log1p(d) : INFINITY;
    return successes * log_gap(d * trials / successes) + failures * log_gap(-d * trials / failures);
}

/* Bisects for the end of the interval: the d of this sign nearest to 0 that is outside, up to rounding;
 * `most` if there is none. */
static double find_end(double successes, double trials, double sign, double most, double bound)
{
    double inside = 0, outside = most;
    if (!(divergence(successes, trials, sign * most) > bound))
        return most;
    while (outside - inside > 2 * DBL_EPSILON * outside) {
        double middle = inside + (outside - inside) / 2;
        if (divergence(successes, trials, sign * middle) > bound)
            outside = middle;
        else
            inside = middle;
    }
    return outside;
}

/*
 * By Stirling's formula both sides contain the large terms S ln S + (n-S) ln(n-S) - n ln n. They cancel,
 * which leaves n KL(S/n || p) <= bound with a small bound.
 */
double verify_sequence_radius(uint64_t successes, uint64_t trials, double log_alpha)
{
    double s = (double)successes, n = (double)trials;
    double bound = log(n) / 2 + log(PI / 2) / 2 - stirling_error_half(s) -
                   stirling_error_half(n - s) + stirling_error(n) - log_alpha;
    return bound + VERIFY_LOG_MARGIN * (1 + fabs(bound));
}

void verify_sequence(uint64_t successes, uint64_t trials, double log_alpha, double *low,
                     double *high)
{
    double s = (double)successes, n = (double)trials;
    *low = 0;
    *high = 1;
    if (trials == 0)
        return;
    double bound = verify_sequence_radius(successes, trials, log_alpha), mean = s / n;
    if (successes > 0) {
        *low = mean - find_end(s, n, -1, mean, bound) - 2 * DBL_EPSILON * mean;
        *low = fmax(*low, 0);
    }
    if (successes < trials) {
        *high = (mean + find_end(s, n, 1, 1 - mean, bound)) * (1 + 2 * DBL_EPSILON);
        *high = fmin(*high, 1);
    }
}

/* ---- rows ---- */

/* Bounds of the assumptions for a row. */
typedef struct row_bounds {
    double pmin;
    double branching; /* b; infinite if unknown */
    double rows;      /* R; 0 if unknown */
} row_bounds;

static double find_pmin(const verify_certificate *c, const verify_row *row)
{
    if (row->state == VERIFY_NONE)
        return c->pmin_start;
    return c->has_row_pmin ? row->pmin : c->pmin;
}

static row_bounds find_row_bounds(const verify_certificate *c, double pmin)
{
    row_bounds found = {.pmin = pmin, .branching = INFINITY};
    if (pmin > 0)
        found.branching = floor((1 + pmin_margin) / pmin);
    if (c->branching > 0)
        found.branching = fmin(found.branching, (double)c->branching);
    if (c->states > 0 && c->actions > 0)
        found.rows = (double)c->states * (double)c->actions + 1;
    return found;
}

static double log_share(const row_bounds *bounds, uint64_t index)
{
    double i = (double)index, share = 1 / i / (i + 1);
    if (bounds->rows > 0)
        share = (share + 1 / bounds->rows) / 2;
    return log(share);
}

/* b (1-pmin)^n <= delta.support · share(i), compared by logarithms, with a margin against completeness. */
static bool has_enough_visits(const verify_certificate *c, const row_bounds *bounds,
                              const verify_row *row)
{
    if (!(bounds->pmin > 0) || !(c->support > 0) || row->visits == 0)
        return false;
    if (bounds->pmin == 1)
        return true;
    double missed = log(bounds->branching) + (double)row->visits * log1p(-bounds->pmin);
    double allowed = log(c->support) + log_share(bounds, row->index);
    return missed + VERIFY_LOG_MARGIN * (1 + fabs(missed)) <=
           allowed - VERIFY_LOG_MARGIN * fabs(allowed);
}

static void find_intervals(const verify_certificate *c, const row_bounds *bounds,
                           const verify_row *row)
{
    double log_alpha = log(c->interval) + log_share(bounds, row->index);
    if (row->width > 2)
        log_alpha -= log((double)row->width);
    log_alpha -= VERIFY_LOG_MARGIN * (1 + fabs(log_alpha));
    for (uint32_t k = 0; k < row->width; k++) {
        verify_branch *branch = &row->branch[k];
        verify_sequence(branch->count, row->visits, log_alpha, &branch->low, &branch->high);
        branch->low = fmax(branch->low, bounds->pmin * (1 - pmin_margin));
        if (row->width == 1)
            branch->low = branch->high = 1;
    }
}

double verify_log_part(uint64_t k)
{
    return -log((double)k) - log1p((double)k);
}

static void find_open_intervals(const verify_certificate *c, const row_bounds *bounds,
                                verify_row *row)
{
    double share = log_share(bounds, row->index);
    double part = bounds->pmin > 0 ? c->discovery : c->interval + c->discovery;
    for (uint32_t k = 0; k < row->width; k++) {
        verify_branch *branch = &row->branch[k];
        double log_alpha = log(part) + share + verify_log_part(branch->found);
        log_alpha -= VERIFY_LOG_MARGIN * (1 + fabs(log_alpha));
        verify_sequence(branch->count - branch->hits, row->visits - branch->from, log_alpha,
                        &branch->low, &branch->high);
        branch->low = fmax(branch->low, bounds->pmin * (1 - pmin_margin));
    }
}

static void find_unseen(const verify_certificate *c, const row_bounds *bounds, verify_row *row)
{
    double part = bounds->pmin > 0 ? c->unseen : c->support + c->unseen;
    double log_a = log(part) + log_share(bounds, row->index) + verify_log_part(row->quiet_after);
    log_a -= VERIFY_LOG_MARGIN * (1 + fabs(log_a));
    row->unseen = row->quiet > 0 ? -expm1(log_a / (double)row->quiet) : 1;
    row->unseen = fmin(1, row->unseen * (1 + VERIFY_LOG_MARGIN));
    if ((double)row->width == bounds->branching)
        row->unseen = 0;
}

/* Whether the intervals of a row admit probabilities that sum to 1 and are at least pmin. If not, the
 * counts contradict the assumptions. */
static bool is_feasible(const row_bounds *bounds, const verify_row *row)
{
    double low = 0, high = row->unseen;
    double slack = sum_tolerance + 8 * ((double)row->width + 1) * DBL_EPSILON;
    for (uint32_t k = 0; k < row->width; k++) {
        low += row->branch[k].low;
        high += row->branch[k].high;
        bool is_part =
            row->is_open && row->shown_count > 0; /* the rest may be in the unseen mass */
        if (row->branch[k].high < bounds->pmin * (1 - pmin_margin) && !is_part)
            return false;
    }
    return low <= 1 + slack && high >= 1 - slack;
}

/* Widens both ends, and cuts the upper end so that each other successor can have pmin. A single successor
 * keeps probability 1. */
static void widen(const row_bounds *bounds, verify_row *row)
{
    double others = ((double)row->width - 1) * bounds->pmin * (1 - pmin_margin);
    row->unseen = fmin(row->unseen * (1 + widening), 1);
    for (uint32_t k = 0; k < row->width && (row->width > 1 || row->is_open); k++) {
        verify_branch *branch = &row->branch[k];
        branch->high = fmin(branch->high, (1 - others) + 4 * DBL_EPSILON);
        branch->low *= 1 - widening;
        branch->high = fmin(branch->high * (1 + widening), 1);
    }
}

static double log_share_of_class(const verify_certificate *c, uint64_t index)
{
    row_bounds bounds = find_row_bounds(c, 0);
    return log_share(&bounds, index);
}

static void check_row(verify_certificate *c, uint32_t i)
{
    verify_row *row = &c->row[i];
    const row_bounds found = find_row_bounds(c, find_pmin(c, row)), *bounds = &found;
    double width = (double)row->width;
    if (width > bounds->branching)
        verify_refuse(c, "rows", i, "more successors than assumed");
    if (bounds->rows > 0 && (double)row->index > bounds->rows)
        verify_refuse(c, "rows", i, "its index is beyond the rows that can be there");
    bool is_alike = c->is_alike && row->state != VERIFY_NONE;
    if (row->has_discoveries)
        find_unseen(c, bounds, row);
    bool may_be_complete = bounds->pmin > 0 || !row->has_discoveries;
    bool is_counted = !is_alike && (has_enough_visits(c, bounds, row) ||
                                    (row->has_discoveries && row->unseen < bounds->pmin));
    row->is_complete =
        may_be_complete && (c->has_graph || width == bounds->branching || is_counted);
    if (is_alike)
        verify_find_alike(row, bounds->pmin);
    else
        row->is_open = row->has_discoveries && !row->is_complete;
    if (row->is_complete)
        row->unseen = 0;
    if (is_alike)
        ; /* its intervals are known */
    else if (row->is_open)
        find_open_intervals(c, bounds, row);
    else if (row->is_complete)
        find_intervals(c, bounds, row);
    else if (c->has_open_rows)
        verify_refuse(c, "rows", i, "it is not complete, and its discoveries are not given");
    if (!row->is_open && !row->is_complete)
        return;
    if (!is_feasible(bounds, row))
        verify_refuse(
            c, "rows", i,
            "the counts contradict what is assumed: no probabilities lie in the intervals");
    widen(bounds, row);
}

void verify_intervals(verify_certificate *c)
{
    row_bounds bounds = find_row_bounds(c, 0);
    if (bounds.rows > 0 && (double)c->row_count > bounds.rows)
        verify_refuse(c, "rows", VERIFY_NONE, "more than there can be");
    for (uint32_t i = 0; i < c->class_count && bounds.rows > 0 && verify_is_ok(c); i++)
        if ((double)c->class[i].index > bounds.rows)
            verify_refuse(c, "classes", i, "its index is beyond the rows that can be there");
    if (c->is_alike)
        verify_classes(c, log_share_of_class);
    for (uint32_t i = 0; i < c->row_count && verify_is_ok(c); i++)
        check_row(c, i);
}
