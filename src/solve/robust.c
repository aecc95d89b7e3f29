/* SPDX-License-Identifier: MIT */
/*
 * The robust step. With w the least value among the successors, and q within
 * the intervals,
 *
 *     Σ q(e) v(e) = w + Σ q(e) (v(e) - w),
 *
 * so that a choice whose successors have all the same value has exactly that
 * value, and only differences are rounded. Each edge gets its lower end, and what is left
 * of 1 goes to the best edges first (or to the worst).
 *
 * Rounding. With n edges, ε = 2^-52 and the spread D, the greatest v minus the least one: the masses
 * are off by 3n/2 ε in all, the sum of products by another (n/2 + 2) ε D, so the computed sum by
 * (2n + 2) ε D at most. The margin is 64 (n + 4) ε D, and 8 ε of the result for the last additions.
 * The rest is left to a program that checks the bound by itself: the checker of
 * certificates adds 32 (n + 2) ε D, see "Rounding in certificates" in docs/theory.md.
 *
 * The result is never beyond the greatest (least) value, which no model exceeds. Products may
 * underflow, and not even a relative margin is left then: so what is positive is at least `tiny` if it
 * is an upper bound, and a lower bound that would be smaller is the least value.
 */
#include "solve/robust.h"

static const double tiny = 0x1p-1000;
static const double margin_per_edge = 0x1p-46; /* 64 ε, of the spread */
static const double margin_of_result = 0x1p-49;

/* ---- sorting ---- */

static void sift_down(const double *values, uint32_t *order, uint32_t at, uint32_t count)
{
    uint32_t moved = order[at];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= count)
            break;
        if (child + 1 < count && values[order[child]] < values[order[child + 1]])
            child++;
        if (!(values[moved] < values[order[child]]))
            break;
        order[at] = order[child];
        at = child;
    }
    order[at] = moved;
}

static void sort_by_heap(const double *values, uint32_t *order, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(values, order, i, count);
    for (uint32_t end = count; end-- > 1;) {
        uint32_t last = order[end];
        order[end] = order[0];
        order[0] = last;
        sift_down(values, order, 0, end);
    }
}

/* Sorts positions by their values, ascending: by insertion, and a row that needs too many moves by
 * a heap. */
static void sort_positions(const double *values, uint32_t *order, uint32_t count)
{
    uint64_t moves_left = 128 + 4 * (uint64_t)count;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t moved = order[i], at = i;
        for (; at > 0 && values[moved] < values[order[at - 1]]; at--)
            order[at] = order[at - 1];
        order[at] = moved;
        if (i - at > moves_left) {
            sort_by_heap(values, order, count);
            return;
        }
        moves_left -= i - at;
    }
}

/* ---- the step ---- */

/* The free mass by edges from the greatest value down. More than the edges take: to the best. */
static double hand_out_best(const double *lower, const double *upper, const double *values,
                            const uint32_t *order, uint32_t count, double free)
{
    const double worst = values[order[0]];
    double sum = 0;
    for (uint32_t i = count; i-- > 0 && free > 0;) {
        uint32_t e = order[i];
        double gap = upper[e] - lower[e], part = gap < free ? gap : free;
        sum += part * (values[e] - worst);
        free -= part;
    }
    if (free > 0)
        sum += free * (values[order[count - 1]] - worst);
    return sum;
}

/* From the least value up. What the edges do not take is left to the worst. */
static double hand_out_worst(const double *lower, const double *upper, const double *values,
                             const uint32_t *order, uint32_t count, double free)
{
    const double worst = values[order[0]];
    double sum = 0;
    for (uint32_t i = 0; i < count && free > 0; i++) {
        uint32_t e = order[i];
        double gap = upper[e] - lower[e], part = gap < free ? gap : free;
        sum += part * (values[e] - worst);
        free -= part;
    }
    return sum;
}

/* scale: of the margins. */
static double step(const double *lower, const double *upper, const double *values, uint32_t *order,
                   uint32_t count, bool greatest, double scale)
{
    if (count == 0)
        return 0;
    sort_positions(values, order, count);
    const double worst = values[order[0]], best = values[order[count - 1]];
    if (!(worst < best))
        return worst;
    double mass = 0, sum = 0;
    for (uint32_t e = 0; e < count; e++) {
        mass += lower[e];
        sum += lower[e] * (values[e] - worst);
    }
    const double margin = scale * margin_per_edge * ((double)count + 4) * (best - worst);
    if (greatest) {
        sum += hand_out_best(lower, upper, values, order, count, 1 - mass) + margin;
        double result = (worst + sum) * (1 + scale * margin_of_result) + tiny;
        return result < best ? result : best;
    }
    if (mass > 1) /* by rounding only: then the lower ends together promise too much */
        sum -= (mass - 1) * (best - worst);
    else
        sum += hand_out_worst(lower, upper, values, order, count, 1 - mass);
    double result = (worst + (sum - margin)) * (1 - scale * margin_of_result) - tiny;
    return result > worst ? result : worst;
}

double solve_interval_step(const double *lower, const double *upper, const double *values,
                           uint32_t *order, uint32_t count, bool greatest)
{
    return step(lower, upper, values, order, count, greatest, 1);
}

void solve_interval_distribution(const double *lower, const double *upper, const uint32_t *order,
                                 uint32_t count, bool greatest, double *q)
{
    double free = 1;
    for (uint32_t e = 0; e < count; e++) {
        q[e] = lower[e];
        free -= lower[e];
    }
    for (uint32_t i = 0; i < count && free > 0; i++) {
        uint32_t e = greatest ? order[count - 1 - i] : order[i];
        double gap = upper[e] - lower[e], part = gap < free ? gap : free;
        q[e] += part;
        free -= part;
    }
}

/* ---- quotients ---- */

double solve_robust_margin(uint32_t edges)
{
    return 2 * margin_per_edge * ((double)edges + 4);
}

double solve_robust_backup(const solve_quotient *quotient, uint32_t choice, const double *x,
                           bool wide)
{
    const solve_quotient *q = quotient;
    const uint32_t begin = q->edge_begin[choice], count = q->edge_begin[choice + 1] - begin;
    const uint32_t *target = q->target + begin;
    if (count == 1)
        return x[target[0]];
    for (uint32_t e = 0; e < count; e++)
        q->scratch[e] = x[target[e]];
    return step(q->low + begin, q->high + begin, q->scratch, q->order + begin, count, q->greatest,
                wide ? 2 : 1);
}

double solve_robust_best(const solve_quotient *quotient, uint32_t node, const double *x,
                         uint32_t *choice)
{
    double best = 0;
    *choice = quotient->choice_begin[node];
    for (uint32_t c = *choice; c < quotient->choice_begin[node + 1]; c++) {
        double value = solve_robust_backup(quotient, c, x, true);
        if (value > best) {
            best = value;
            *choice = c;
        }
    }
    return best;
}
