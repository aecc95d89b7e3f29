/* SPDX-License-Identifier: MIT */
/* Step by step: the distribution of runs that are not done, in doubles and in long ones. */
#include "solve/transient_distribution.h"

#include <float.h>
#include <string.h>

#include "base/work.h"
#include "solve/matrix_powers.h"

enum {
    WORK_A_LOOK = 1 << 18, /* between two looks at cancel */
    WIDE_WORK = 8          /* elementary steps that a long product costs */
};

/* Of epsilon: shares that add up to nothing, for all steps and nodes that there can be time for. */
#define NOTHING 1e-30
/* The same where a lower bound will do: what is let go counts as done. */
#define LITTLE 1e-18

void solve_transient_fini(solve_transient *transient)
{
    base_double_vec_fini(&transient->now);
    base_double_vec_fini(&transient->next);
    base_dd_vec_fini(&transient->wide_now);
    base_dd_vec_fini(&transient->wide_next);
    base_u32_vec_fini(&transient->front);
    base_u32_vec_fini(&transient->front_next);
}

/* ---- limits ---- */

typedef struct marching {
    const solve_unfold *unfold;
    const solve_recurrence_options *options;
    solve_recurrence *result;
    uint64_t unseen; /* work since the last look at cancel */
} marching;

static opac_status account(marching *m, uint64_t work, opac_error *error)
{
    m->result->work += work;
    m->unseen += work;
    if (m->unseen < WORK_A_LOOK)
        return OPAC_OK;
    m->unseen = 0;
    return opac_cancel_requested(m->options->cancel)
               ? base_fail_stopped(error, m->options->cancel, "following policies")
               : OPAC_OK;
}

static bool is_spent(const marching *m)
{
    return m->options->max_work != 0 && m->result->work > m->options->max_work;
}

static bool is_last(const marching *m, uint64_t step)
{
    return m->options->max_steps != 0 && step >= m->options->max_steps;
}

/* ---- fronts ---- */

/* The nodes that runs may be at, and where to note those that a step leads to. */
typedef struct front {
    uint32_t *at, *next;
    uint32_t count, next_count;
} front;

static opac_status begin_front(solve_transient *transient, uint32_t count, front *f,
                               opac_error *error)
{
    TRY(base_u32_vec_reserve(&transient->front, count, error));
    TRY(base_u32_vec_reserve(&transient->front_next, count, error));
    *f = (front){.at = transient->front.items, .next = transient->front_next.items, .count = 1};
    f->at[0] = 0;
    return OPAC_OK;
}

static void advance(front *f)
{
    uint32_t *swap = f->at;
    f->at = f->next, f->next = swap;
    f->count = f->next_count;
    f->next_count = 0;
}

/* ---- in doubles ---- */

/*
 * How far the share of the runs that are left may be off after so many steps, relatively: in each, a
 * product of two rounded numbers, and a sum with as many terms as edges come in; then the sum of
 * all. Numbers so small that they lose digits weigh nothing against epsilon.
 */
static double rounding(const solve_unfold *u, double unit, double steps, double tiny,
                       double epsilon)
{
    double count = solve_unfold_count(u), terms = 3.0 + u->largest_in;
    return 1.01 * unit * (steps * terms + count + 8) +
           steps * solve_unfold_edges(u) * tiny / epsilon;
}

/* The shares of a step. */
typedef struct shares {
    double *now, *next;
    double left;    /* the sum of those in the front */
    double dropped; /* the sum of those that were let go, in all steps */
} shares;

/* Moves the share of a node along its edges; how many there are. */
static uint32_t spread(const solve_unfold *u, uint32_t node, shares *s, front *f)
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

/* Shares below `least` are let go. */
static void gather(double least, shares *s, front *f)
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

/* The work of a step. */
static uint64_t take_step(const solve_unfold *u, double least, shares *s, front *f)
{
    uint64_t work = f->count;
    for (uint32_t i = 0; i < f->count; i++)
        work += spread(u, f->at[i], s, f);
    gather(least, s, f);
    double *swap = s->now;
    s->now = s->next, s->next = swap;
    advance(f);
    return work;
}

typedef enum verdict {
    EARLY, /* more than epsilon are left */
    ENOUGH,
    UNCLEAR
} verdict;

static verdict judge(const shares *s, double off, double epsilon)
{
    if (s->left * (1 - off) > epsilon)
        return EARLY;
    return (s->left + s->dropped) * (1 + off) <= epsilon ? ENOUGH : UNCLEAR;
}

static void found(const marching *m, uint64_t steps, double before, double left)
{
    double enough = 1 - m->options->epsilon;
    m->result->outcome = SOLVE_RECURRENCE_FOUND;
    m->result->steps = steps;
    m->result->before = fmin(1 - before, nextafter(enough, 0));
    m->result->reached = fmax(1 - left, enough);
}

/* Whether `steps` more are too many, or too much work: then that is what is known. */
static bool gave_up(const marching *m, uint64_t steps)
{
    if (!is_last(m, steps - 1) && !is_spent(m))
        return false;
    m->result->outcome = is_last(m, steps - 1) ? SOLVE_RECURRENCE_LONGER : SOLVE_RECURRENCE_TOO_BIG;
    m->result->steps = is_last(m, steps - 1) ? steps - 1 : steps;
    return true;
}

static opac_status begin_march(solve_transient *transient, uint32_t count, shares *s, front *f,
                               opac_error *error)
{
    TRY(base_double_vec_reserve(&transient->now, count, error));
    TRY(base_double_vec_reserve(&transient->next, count, error));
    TRY(begin_front(transient, count, f, error));
    memset(transient->now.items, 0, count * sizeof(double));
    memset(transient->next.items, 0, count * sizeof(double));
    *s = (shares){.now = transient->now.items, .next = transient->next.items};
    s->now[0] = 1;
    return OPAC_OK;
}

/* *settled: whether that was all that there is to do; if not, the work was more than `most`, or
 * doubles do not decide. */
static opac_status march_doubles(solve_transient *transient, marching *m, uint64_t most,
                                 bool *settled, opac_error *error)
{
    double before = 1, epsilon = m->options->epsilon;
    double least = (m->options->lower_bound_only ? LITTLE : NOTHING) * epsilon;
    uint64_t begin = m->result->work;
    shares s;
    front f;
    TRY(begin_march(transient, solve_unfold_count(m->unfold), &s, &f, error));
    *settled = true;
    for (uint64_t t = 1; !gave_up(m, t); t++) {
        if (m->result->work - begin > most) {
            *settled = false;
            break;
        }
        TRY(account(m, take_step(m->unfold, least, &s, &f), error));
        double off = rounding(m->unfold, DBL_EPSILON / 2, (double)t, DBL_MIN, epsilon);
        verdict v = judge(&s, off, epsilon);
        if (v != EARLY) {
            *settled = v == ENOUGH || m->options->lower_bound_only;
            if (*settled)
                found(m, t, before, s.left);
            break;
        }
        before = s.left;
    }
    return OPAC_OK;
}

/* ---- in long doubles ---- */

static uint32_t spread_wide(const solve_unfold *u, uint32_t node, base_dd *now, base_dd *next,
                            front *f)
{
    uint32_t begin = u->begin.items[node], end = u->begin.items[node + 1];
    const uint32_t *target = u->target.items;
    const base_dd *prob = u->wide + u->first.items[node];
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

/* What is left. Adds to *work. */
static base_dd take_wide_step(const solve_unfold *u, base_dd *now, base_dd *next, front *f,
                              uint64_t *work)
{
    base_dd left = base_dd_of(0);
    *work = f->count;
    for (uint32_t i = 0; i < f->count; i++)
        *work += spread_wide(u, f->at[i], now, next, f);
    *work *= WIDE_WORK;
    for (uint32_t i = 0; i < f->next_count; i++)
        left = base_dd_add(left, next[f->next[i]]);
    advance(f);
    return left;
}

static opac_status begin_wide(solve_transient *transient, uint32_t count, front *f,
                              opac_error *error)
{
    TRY(base_dd_vec_reserve(&transient->wide_now, count, error));
    TRY(base_dd_vec_reserve(&transient->wide_next, count, error));
    TRY(begin_front(transient, count, f, error));
    memset(transient->wide_now.items, 0, count * sizeof(base_dd));
    memset(transient->wide_next.items, 0, count * sizeof(base_dd));
    transient->wide_now.items[0] = base_dd_of(1);
    return OPAC_OK;
}

/* The first step that is not surely too early is the answer, or the tie that it seems. */
static opac_status march_wide(solve_transient *transient, marching *m, opac_error *error)
{
    base_dd epsilon = base_dd_of_fraction(m->options->epsilon);
    double before = 1;
    front f;
    TRY(begin_wide(transient, solve_unfold_count(m->unfold), &f, error));
    base_dd *now = transient->wide_now.items, *next = transient->wide_next.items;
    for (uint64_t t = 1, work; !gave_up(m, t); t++) {
        base_dd left = take_wide_step(m->unfold, now, next, &f, &work), *swap = now;
        now = next, next = swap;
        double off = rounding(m->unfold, BASE_DD_ROUNDING, (double)t, 1e-270, epsilon.high);
        TRY(account(m, work, error));
        if (base_dd_subtract(left, epsilon).high <= off * epsilon.high) {
            found(m, t, before, left.high);
            break;
        }
        before = left.high;
    }
    return OPAC_OK;
}

/* ---- which of them ---- */

opac_status solve_transient_run(solve_transient *transient, const solve_unfold *unfold,
                                const solve_recurrence_options *options, solve_recurrence *result,
                                opac_error *error)
{
    marching m = {.unfold = unfold, .options = options, .result = result};
    uint64_t jump = solve_matrix_powers_work(unfold), before = result->work;
    bool settled;
    TRY(march_doubles(transient, &m, jump, &settled, error));
    if (settled)
        return OPAC_OK;
    uint64_t walked = result->work - before;
    if (jump == UINT64_MAX || walked <= jump / WIDE_WORK)
        return march_wide(transient, &m, error);
    return solve_matrix_powers_run(unfold, options, result, error);
}
