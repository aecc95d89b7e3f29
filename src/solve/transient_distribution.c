/* SPDX-License-Identifier: MIT */
/* Computes the distribution of the runs that are not done, in doubles and in double-doubles. */
#include "solve/transient_distribution.h"

#include <float.h>
#include <string.h>

#include "base/work.h"
#include "solve/matrix_powers.h"

enum {
    POLL_WORK = 1 << 18, /* work between two polls of cancel */
    DD_WORK = 8          /* elementary steps that a double-double product costs */
};

/*
 * Probabilities below this share of epsilon are dropped. For any number of nodes and steps that can be
 * computed, their sum is negligible.
 */
#define NEGLIGIBLE_SHARE 1e-30
/* The same if a lower bound suffices. Dropped runs count as done. */
#define NEGLIGIBLE_SHARE_OF_LOWER_BOUND 1e-18

void solve_transient_fini(solve_transient *transient)
{
    base_double_vec_fini(&transient->now);
    base_double_vec_fini(&transient->next);
    base_dd_vec_fini(&transient->now_dd);
    base_dd_vec_fini(&transient->next_dd);
    base_u32_vec_fini(&transient->support);
    base_u32_vec_fini(&transient->support_next);
}

/* ---- limits ---- */

typedef struct search {
    const solve_unfold *unfold;
    const solve_recurrence_options *options;
    solve_recurrence *result;
    uint64_t unpolled; /* work since cancel was last polled */
} search;

static opac_status count_work(search *m, uint64_t work, opac_error *error)
{
    m->result->work += work;
    m->unpolled += work;
    if (m->unpolled < POLL_WORK)
        return OPAC_OK;
    m->unpolled = 0;
    return opac_cancel_requested(m->options->cancel)
               ? base_fail_stopped(error, m->options->cancel, "following policies")
               : OPAC_OK;
}

static bool is_spent(const search *m)
{
    return m->options->max_work != 0 && m->result->work > m->options->max_work;
}

static bool is_last(const search *m, uint64_t step)
{
    return m->options->max_steps != 0 && step >= m->options->max_steps;
}

/* ---- supports ---- */

/* The support of the current distribution, and that of the next one while it is computed. */
typedef struct support {
    uint32_t *at, *next;
    uint32_t count, next_count;
} support;

static opac_status begin_support(solve_transient *transient, uint32_t count, support *f,
                                 opac_error *error)
{
    TRY(base_u32_vec_reserve(&transient->support, count, error));
    TRY(base_u32_vec_reserve(&transient->support_next, count, error));
    *f = (support){
        .at = transient->support.items, .next = transient->support_next.items, .count = 1};
    f->at[0] = 0;
    return OPAC_OK;
}

static void advance(support *f)
{
    uint32_t *swap = f->at;
    f->at = f->next, f->next = swap;
    f->count = f->next_count;
    f->next_count = 0;
}

/* ---- in doubles ---- */

/*
 * Bounds the relative error of the probability that a run is not done after this number of steps. Each step
 * has a product of two rounded numbers and a sum with a term for each incoming edge; at the end all nodes
 * are added. The second summand covers underflow, which is negligible relative to epsilon.
 */
static double rounding(const solve_unfold *u, double unit, double steps, double tiny,
                       double epsilon)
{
    double count = solve_unfold_count(u), terms = 3.0 + u->largest_in;
    return 1.01 * unit * (steps * terms + count + 8) +
           steps * solve_unfold_edges(u) * tiny / epsilon;
}

/* The distribution before and after a step. */
typedef struct shares {
    double *now, *next;
    double left;    /* sum over the support */
    double dropped; /* sum of what was dropped, in all steps */
} shares;

/* Moves the probability of a node along its edges; returns the number of edges. */
static uint32_t spread(const solve_unfold *u, uint32_t node, shares *s, support *f)
{
    uint32_t begin = u->begin.items[node], end = u->begin.items[node + 1];
    const uint32_t *target = u->target.items;
    const double *prob = u->prob + u->first.items[node];
    double mass = s->now[node];
    s->now[node] = 0;
    for (uint32_t e = begin; e < end; e++) {
        if (target[e] == GRAPH_NONE)
            continue;
        double *to = &s->next[target[e]], more = mass * prob[e - begin];
        if (*to == 0 && more > 0)
            f->next[f->next_count++] = target[e];
        *to += more;
    }
    return end - begin;
}

/* Drops probabilities below `least`, and adds up the others. */
static void drop_negligible(double least, shares *s, support *f)
{
    uint32_t kept = 0;
    s->left = 0;
    for (uint32_t i = 0; i < f->next_count; i++) {
        double *share = &s->next[f->next[i]];
        if (*share >= least) {
            s->left += *share;
            f->next[kept++] = f->next[i];
        } else {
            s->dropped += *share;
            *share = 0;
        }
    }
    f->next_count = kept;
}

/* Makes a step; returns its work. */
static uint64_t take_step(const solve_unfold *u, double least, shares *s, support *f)
{
    uint64_t work = f->count;
    for (uint32_t i = 0; i < f->count; i++)
        work += spread(u, f->at[i], s, f);
    drop_negligible(least, s, f);
    double *swap = s->now;
    s->now = s->next, s->next = swap;
    advance(f);
    return work;
}

typedef enum comparison {
    EARLY,  /* certainly more than epsilon are left */
    ENOUGH, /* certainly at most epsilon are left */
    UNCLEAR
} comparison;

/* Compares what is left with epsilon, given its relative error. */
static comparison compare_left(const shares *s, double off, double epsilon)
{
    if (s->left * (1 - off) > epsilon)
        return EARLY;
    return (s->left + s->dropped) * (1 + off) <= epsilon ? ENOUGH : UNCLEAR;
}

/* Sets the result. before, left: probability that a run is not done one step before, and after `steps`. */
static void set_found(const search *m, uint64_t steps, double before, double left)
{
    double enough = 1 - m->options->epsilon;
    m->result->outcome = SOLVE_RECURRENCE_FOUND;
    m->result->steps = steps;
    m->result->before = fmin(1 - before, nextafter(enough, 0));
    m->result->reached = fmax(1 - left, enough);
}

/* Whether the limit of steps or work is reached before step number `steps`; if so, sets the result. */
static bool is_limited(const search *m, uint64_t steps)
{
    if (!is_last(m, steps - 1) && !is_spent(m))
        return false;
    m->result->outcome = is_last(m, steps - 1) ? SOLVE_RECURRENCE_LONGER : SOLVE_RECURRENCE_TOO_BIG;
    m->result->steps = is_last(m, steps - 1) ? steps - 1 : steps;
    return true;
}

static opac_status begin_doubles(solve_transient *transient, uint32_t count, shares *s, support *f,
                                 opac_error *error)
{
    TRY(base_double_vec_reserve(&transient->now, count, error));
    TRY(base_double_vec_reserve(&transient->next, count, error));
    TRY(begin_support(transient, count, f, error));
    memset(transient->now.items, 0, count * sizeof(double));
    memset(transient->next.items, 0, count * sizeof(double));
    *s = (shares){.now = transient->now.items, .next = transient->next.items};
    s->now[0] = 1;
    return OPAC_OK;
}

/* *settled: whether the result is final. If not, the work exceeded `most`, or doubles are not precise
 * enough. */
static opac_status run_doubles(solve_transient *transient, search *m, uint64_t most, bool *settled,
                               opac_error *error)
{
    double before = 1, epsilon = m->options->epsilon;
    double least = epsilon * (m->options->lower_bound_only ? NEGLIGIBLE_SHARE_OF_LOWER_BOUND
                                                           : NEGLIGIBLE_SHARE);
    uint64_t begin = m->result->work;
    shares s;
    support f;
    TRY(begin_doubles(transient, solve_unfold_count(m->unfold), &s, &f, error));
    *settled = true;
    for (uint64_t t = 1; !is_limited(m, t); t++) {
        if (m->result->work - begin > most) {
            *settled = false;
            break;
        }
        TRY(count_work(m, take_step(m->unfold, least, &s, &f), error));
        double off = rounding(m->unfold, DBL_EPSILON / 2, (double)t, DBL_MIN, epsilon);
        comparison c = compare_left(&s, off, epsilon);
        if (c != EARLY) {
            *settled = c == ENOUGH || m->options->lower_bound_only;
            if (*settled)
                set_found(m, t, before, s.left);
            break;
        }
        before = s.left;
    }
    return OPAC_OK;
}

/* ---- in double-doubles ---- */

static uint32_t spread_dd(const solve_unfold *u, uint32_t node, base_dd *now, base_dd *next,
                          support *f)
{
    uint32_t begin = u->begin.items[node], end = u->begin.items[node + 1];
    const uint32_t *target = u->target.items;
    const base_dd *prob = u->prob_dd + u->first.items[node];
    base_dd mass = now[node];
    now[node] = base_dd_of(0);
    for (uint32_t e = begin; e < end; e++) {
        if (target[e] == GRAPH_NONE)
            continue;
        base_dd *to = &next[target[e]], more = base_dd_multiply(mass, prob[e - begin]);
        if (to->high == 0 && more.high > 0)
            f->next[f->next_count++] = target[e];
        *to = base_dd_add(*to, more);
    }
    return end - begin;
}

/* Makes a step; returns the probability that a run is not done. *work: the work of the step. */
static base_dd take_step_dd(const solve_unfold *u, base_dd *now, base_dd *next, support *f,
                            uint64_t *work)
{
    base_dd left = base_dd_of(0);
    *work = f->count;
    for (uint32_t i = 0; i < f->count; i++)
        *work += spread_dd(u, f->at[i], now, next, f);
    *work *= DD_WORK;
    for (uint32_t i = 0; i < f->next_count; i++)
        left = base_dd_add(left, next[f->next[i]]);
    advance(f);
    return left;
}

static opac_status begin_dd(solve_transient *transient, uint32_t count, support *f,
                            opac_error *error)
{
    TRY(base_dd_vec_reserve(&transient->now_dd, count, error));
    TRY(base_dd_vec_reserve(&transient->next_dd, count, error));
    TRY(begin_support(transient, count, f, error));
    memset(transient->now_dd.items, 0, count * sizeof(base_dd));
    memset(transient->next_dd.items, 0, count * sizeof(base_dd));
    transient->now_dd.items[0] = base_dd_of(1);
    return OPAC_OK;
}

/* The result is the first number of steps that is not certainly too early; ties count as enough. */
static opac_status run_dd(solve_transient *transient, search *m, opac_error *error)
{
    base_dd epsilon = base_dd_of_fraction(m->options->epsilon);
    double before = 1;
    support f;
    TRY(begin_dd(transient, solve_unfold_count(m->unfold), &f, error));
    base_dd *now = transient->now_dd.items, *next = transient->next_dd.items;
    for (uint64_t t = 1, work; !is_limited(m, t); t++) {
        base_dd left = take_step_dd(m->unfold, now, next, &f, &work), *swap = now;
        now = next, next = swap;
        double off = rounding(m->unfold, BASE_DD_ROUNDING, (double)t, 1e-270, epsilon.high);
        TRY(count_work(m, work, error));
        if (base_dd_subtract(left, epsilon).high <= off * epsilon.high) {
            set_found(m, t, before, left.high);
            break;
        }
        before = left.high;
    }
    return OPAC_OK;
}

/* ---- choosing the method ---- */

opac_status solve_transient_run(solve_transient *transient, const solve_unfold *unfold,
                                const solve_recurrence_options *options, solve_recurrence *result,
                                opac_error *error)
{
    search m = {.unfold = unfold, .options = options, .result = result};
    uint64_t powers_work = solve_matrix_powers_work(unfold), before = result->work;
    bool settled;
    TRY(run_doubles(transient, &m, powers_work, &settled, error));
    if (settled)
        return OPAC_OK;
    uint64_t work = result->work - before;
    if (powers_work == UINT64_MAX || work <= powers_work / DD_WORK)
        return run_dd(transient, &m, error);
    return solve_matrix_powers_run(unfold, options, result, error);
}
