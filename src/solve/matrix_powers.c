/* SPDX-License-Identifier: MIT */
/*
 * Let left(t) be the probability that a run is not done after t steps. Powers are computed until left(2^k)
 * is no longer certainly above epsilon. Then the largest t with left(t) certainly above epsilon is
 * determined bit by bit, from the highest bit down; the result is t + 1.
 *
 * Rounding. An entry of Q^(2^k) has a relative error of at most 2^k (n + 2) units: squaring doubles the
 * error of the entries, and adds that of a sum of n products.
 */
#include "solve/matrix_powers.h"

#include <string.h>

#include "base/alloc.h"
#include "base/work.h"

enum {
    MOST_NODES = 400,
    MOST_LEVELS = 62,
    LEVELS_USUALLY = 40,
    PRODUCT_WORK = 8 /* elementary steps that a double-double product costs */
};

/*
 * A step changes what is left by a relative 1 / steps, about. If the rounding error exceeds this share of it,
 * the result is only a lower bound.
 */
#define RESOLUTION 1e-3

typedef struct powers {
    const solve_unfold *unfold;
    const solve_recurrence_options *options;
    solve_recurrence *result;
    uint32_t count;
    uint32_t levels;
    base_dd *matrix[MOST_LEVELS + 1]; /* Q^(2^k), by rows */
    base_dd *now, *next;
    base_dd epsilon;
} powers;

uint64_t solve_matrix_powers_work(const solve_unfold *unfold)
{
    uint64_t n = solve_unfold_count(unfold);
    return n > MOST_NODES ? UINT64_MAX : n * n * n * LEVELS_USUALLY * PRODUCT_WORK / 2;
}

/* ---- matrices ---- */

static base_dd *new_matrix(const powers *p)
{
    return base_alloc_zeroed((size_t)p->count * p->count, sizeof(base_dd));
}

static void fill_first(powers *p)
{
    const solve_unfold *u = p->unfold;
    for (uint32_t n = 0; n < p->count; n++)
        for (uint32_t e = u->begin.items[n]; e < u->begin.items[n + 1]; e++) {
            uint32_t t = u->target.items[e];
            base_dd *entry = t == GRAPH_NONE ? NULL : &p->matrix[0][(size_t)n * p->count + t];
            if (entry != NULL)
                *entry = base_dd_add(*entry, u->prob_dd[u->first.items[n] + e - u->begin.items[n]]);
        }
}

/* to += factor · row */
static void add_row(base_dd *to, base_dd factor, const base_dd *row, uint32_t count)
{
    for (uint32_t j = 0; j < count; j++)
        if (row[j].high != 0)
            to[j] = base_dd_add(to[j], base_dd_multiply(factor, row[j]));
}

/* Skips entries that are 0. Most are, because a state that was visited remains visited. */
static opac_status square(powers *p, const base_dd *from, base_dd *to, opac_error *error)
{
    uint32_t n = p->count;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++) {
            base_dd factor = from[(size_t)i * n + k];
            if (factor.high == 0)
                continue;
            add_row(to + (size_t)i * n, factor, from + (size_t)k * n, n);
            p->result->work += (uint64_t)PRODUCT_WORK * n;
        }
        if (opac_cancel_requested(p->options->cancel))
            return base_fail_stopped(error, p->options->cancel, "computing powers of a matrix");
    }
    return OPAC_OK;
}

static opac_status add_level(powers *p, opac_error *error)
{
    base_dd *matrix = new_matrix(p);
    if (matrix == NULL)
        return base_fail_memory(error);
    p->matrix[p->levels] = matrix;
    if (p->levels == 0)
        fill_first(p);
    opac_status status =
        p->levels == 0 ? OPAC_OK : square(p, p->matrix[p->levels - 1], matrix, error);
    p->levels++;
    return status;
}

/* ---- distributions ---- */

/* Computes next = now · Q^(2^level); returns its sum, the probability that a run is not done. */
static base_dd advance(powers *p, uint32_t level)
{
    base_dd left = base_dd_of(0);
    memset(p->next, 0, p->count * sizeof *p->next);
    for (uint32_t i = 0; i < p->count; i++)
        if (p->now[i].high != 0)
            add_row(p->next, p->now[i], p->matrix[level] + (size_t)i * p->count, p->count);
    for (uint32_t i = 0; i < p->count; i++)
        left = base_dd_add(left, p->next[i]);
    return left;
}

static double rounding(const powers *p, double steps)
{
    return 1.01 * BASE_DD_ROUNDING * (p->count + 4.0) * (steps + MOST_LEVELS) +
           steps * p->count * 1e-270 / p->epsilon.high;
}

/* Whether `left` is certainly above epsilon. */
static bool is_early(const powers *p, base_dd left, double steps)
{
    return base_dd_subtract(left, p->epsilon).high > rounding(p, steps) * p->epsilon.high;
}

static bool is_beyond(const powers *p, uint64_t steps)
{
    return p->options->max_steps != 0 && steps > p->options->max_steps;
}

/* ---- the search ---- */

/* Adds levels until 2^(levels - 1) steps suffice. *limited: the work was spent before. */
static opac_status add_levels(powers *p, bool *limited, opac_error *error)
{
    *limited = false;
    while (p->levels < MOST_LEVELS) {
        TRY(add_level(p, error));
        uint64_t steps = UINT64_C(1) << (p->levels - 1);
        if (!is_early(p, advance(p, p->levels - 1), (double)steps))
            return OPAC_OK;
        if (is_beyond(p, steps + 1))
            return OPAC_OK; /* find_last_early will find that max_steps do not suffice */
        if (p->options->max_work != 0 && p->result->work > p->options->max_work)
            break;
    }
    *limited = true;
    return OPAC_OK;
}

/* The largest number of steps, below 2^levels and at most max_steps, that does not suffice. */
static uint64_t find_last_early(powers *p, base_dd *before)
{
    uint64_t steps = 0, most = UINT64_C(1) << p->levels;
    *before = base_dd_of(1);
    for (uint32_t level = p->levels; level-- > 0;) {
        uint64_t more = steps + (UINT64_C(1) << level);
        if (is_beyond(p, more))
            continue;
        base_dd left = advance(p, level), *swap = p->now;
        if (!is_early(p, left, (double)most))
            continue;
        steps = more;
        *before = left;
        p->now = p->next, p->next = swap;
    }
    return steps;
}

static void conclude(powers *p, uint64_t early, base_dd before)
{
    double enough = 1 - p->options->epsilon, most = ldexp(1, (int)p->levels);
    base_dd left = advance(p, 0);
    double off = rounding(p, most);
    bool is_sure = base_dd_subtract(p->epsilon, left).high >= off * p->epsilon.high;
    p->result->steps = early + 1;
    if (!is_sure && off * (double)early > RESOLUTION) {
        p->result->outcome = SOLVE_RECURRENCE_TOO_BIG;
        return;
    }
    p->result->outcome = SOLVE_RECURRENCE_FOUND;
    p->result->before = fmin(1 - before.high, nextafter(enough, 0));
    p->result->reached = fmax(1 - left.high, enough);
}

static opac_status search(powers *p, opac_error *error)
{
    bool limited;
    base_dd before;
    p->now[0] = base_dd_of(1);
    TRY(add_levels(p, &limited, error));
    if (limited) {
        p->result->outcome = SOLVE_RECURRENCE_TOO_BIG;
        p->result->steps = (UINT64_C(1) << (p->levels - 1)) + 1;
        return OPAC_OK;
    }
    uint64_t early = find_last_early(p, &before);
    if (is_beyond(p, early + 1)) {
        p->result->outcome = SOLVE_RECURRENCE_LONGER;
        p->result->steps = early;
        return OPAC_OK;
    }
    conclude(p, early, before);
    return OPAC_OK;
}

opac_status solve_matrix_powers_run(const solve_unfold *unfold,
                                    const solve_recurrence_options *options,
                                    solve_recurrence *result, opac_error *error)
{
    powers p = {.unfold = unfold,
                .options = options,
                .result = result,
                .count = solve_unfold_count(unfold),
                .epsilon = base_dd_of_fraction(options->epsilon)};
    p.now = base_alloc_zeroed(p.count, sizeof *p.now);
    p.next = base_alloc_zeroed(p.count, sizeof *p.next);
    opac_status status =
        p.now == NULL || p.next == NULL ? base_fail_memory(error) : search(&p, error);
    for (uint32_t k = 0; k < p.levels; k++)
        base_free(p.matrix[k]);
    base_free(p.now);
    base_free(p.next);
    return status;
}
