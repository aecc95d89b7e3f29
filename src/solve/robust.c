/* SPDX-License-Identifier: MIT */
/*
 * The robust step. Let w be the least value of the successors. For q within the intervals,
 *
 *     Σ q(e) v(e) = w + Σ q(e) (v(e) - w).
 *
 * So a choice whose successors all have the same value has exactly this value, and only differences are
 * rounded. Each edge gets its lower end; the remaining mass goes to the edges with the best (worst) values
 * first.
 *
 * Rounding. Let n be the number of edges, ε = 2^-52, and D the spread, which is the greatest v minus the
 * least. The total error of the masses is at most 3n/2 ε, and the sum of products adds (n/2 + 2) ε D, so the
 * error of the computed sum is at most (2n + 2) ε D. The margin is 64 (n + 4) ε D, plus 8 ε of the result
 * for the last additions. It is larger than necessary for the benefit of independent programs: the checker
 * of certificates needs 32 (n + 2) ε D (docs/theory.md, Theorem 15).
 *
 * The result is cut at the greatest (least) value, which no model exceeds (falls below). Products may
 * underflow, and then a relative margin does not suffice. Therefore `tiny` is added to upper bounds and
 * subtracted from lower bounds.
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

/* Sorts positions by ascending value: by insertion, or by heapsort if this needs too many moves. */
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

/*
 * Distributes the free mass from the greatest value down; returns its contribution to the sum. Mass that
 * exceeds the upper ends goes to the best edge.
 */
static double distribute_best(const double *lower, const double *upper, const double *values,
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

/* The same from the least value up. Mass that exceeds the upper ends stays with the worst value. */
static double distribute_worst(const double *lower, const double *upper, const double *values,
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

/* scale: factor of the margins. */
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
        sum += distribute_best(lower, upper, values, order, count, 1 - mass) + margin;
        double result = (worst + sum) * (1 + scale * margin_of_result) + tiny;
        return result < best ? result : best;
    }
    if (mass > 1) /* by rounding only; the lower ends then claim too much mass */
        sum -= (mass - 1) * (best - worst);
    else
        sum += distribute_worst(lower, upper, values, order, count, 1 - mass);
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
                           bool double_margin)
{
    const solve_quotient *q = quotient;
    const uint32_t begin = q->edge_begin[choice], count = q->edge_begin[choice + 1] - begin;
    const uint32_t *target = q->target + begin;
    if (count == 1)
        return x[target[0]];
    for (uint32_t e = 0; e < count; e++)
        q->scratch[e] = x[target[e]];
    return step(q->low + begin, q->high + begin, q->scratch, q->order + begin, count, q->greatest,
                double_margin ? 2 : 1);
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
