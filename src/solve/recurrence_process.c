/* SPDX-License-Identifier: MIT */
/*
 * The greatest recurrence time of all positional policies (tour.h).
 *
 * At first a local search, from several policies and one state at a time, finds
 * a time that is long, perhaps the longest. Against it most policies are settled
 * soon: all but epsilon of their runs are done before it, often after a few
 * steps. The same is tried before a policy is whole: if runs that come to an open
 * state are never done, and all but epsilon are done before that time even so, then
 * whatever is decided there, it is not longer. And if the work does not last for all of them, that time is the lower
 * bound that remains.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "solve/clock.h"
#include "solve/tour.h"

enum {
    BEGINNINGS = 12,  /* policies from which the local search begins */
    SEARCH_SHARE = 3, /* it may take one part of so many of the work */
    WASTE_SHARE = 4,  /* looks ahead that were in vain may take one part of so many */
    POLICY_WORK = 64  /* elementary steps that a policy costs besides */
};

typedef struct enumeration {
    const solve_recurrence_options *options;
    solve_clock clock;
    solve_tour tour;
    uint32_t start;
    solve_recurrence best;
    uint32_t *choice; /* of the best; NULL: not wanted */
    uint32_t *wish;   /* of the local search, by state: a number among the distinct choices */
    uint64_t work, policies;
    uint64_t wasted; /* work of looks at beginnings of policies that had to be gone on with */
    uint64_t limit;  /* of the work, at the moment; 0: none */
    bool is_partial; /* some policy was too large, or not looked at */
    bool is_longer;  /* some policy takes longer than max_steps */
} enumeration;

static bool is_over(const enumeration *x)
{
    return x->is_longer || (x->limit != 0 && x->work >= x->limit);
}

/* ---- one policy ---- */

static opac_status run(enumeration *x, uint64_t max_steps, solve_recurrence *result,
                       opac_error *error)
{
    const solve_chain chain = {x->tour.process, x->tour.choice, x->start, x->tour.open};
    solve_recurrence_options options = *x->options;
    options.max_steps = max_steps;
    options.max_work = x->limit == 0 ? 0 : x->limit > x->work ? x->limit - x->work : 1;
    opac_status status = solve_clock_run(&x->clock, &chain, &options, result, error);
    x->work += result->work + POLICY_WORK;
    return status;
}

/* The time of the policy at hand; what is longest is kept. */
static opac_status measure(enumeration *x, uint64_t *steps, opac_error *error)
{
    solve_recurrence result;
    opac_status status = run(x, x->options->max_steps, &result, error);
    if (status != OPAC_OK)
        return status;
    x->is_longer |= result.outcome == SOLVE_RECURRENCE_LONGER;
    x->is_partial |= result.outcome == SOLVE_RECURRENCE_TOO_BIG;
    *steps = result.steps;
    if (result.steps <= x->best.steps && x->policies > 0)
        return OPAC_OK;
    x->best = result;
    if (x->choice != NULL)
        memcpy(x->choice, x->tour.choice, x->tour.process->state_count * sizeof *x->choice);
    return OPAC_OK;
}

/* Only whether it is longer than the best matters. */
static opac_status look(enumeration *x, opac_error *error)
{
    solve_recurrence result = {.outcome = SOLVE_RECURRENCE_LONGER};
    opac_status status = OPAC_OK;
    uint64_t steps;
    if (x->best.steps > 0)
        status = run(x, x->best.steps, &result, error);
    if (status == OPAC_OK && result.outcome == SOLVE_RECURRENCE_LONGER)
        status = measure(x, &steps, error);
    /* That very time was known as a lower bound, and is found now. */
    if (result.outcome == SOLVE_RECURRENCE_FOUND && result.steps == x->best.steps)
        x->best = result;
    x->is_partial |= result.outcome == SOLVE_RECURRENCE_TOO_BIG;
    x->policies++;
    return status;
}

/* How many policies begin so, at least, is two; else a look at the one is better. */
static bool has_open_choice(const enumeration *x)
{
    for (uint32_t i = x->tour.depth; i < x->tour.met_count; i++)
        if (solve_distinct_count(&x->tour.distinct, x->tour.met[i]) > 1)
            return true;
    return false;
}

/* Whether no policy that begins so takes longer than the best. Looks that were in vain are rationed. */
static opac_status look_ahead(enumeration *x, bool *is_short, opac_error *error)
{
    solve_recurrence result;
    *is_short = false;
    if (x->best.steps == 0 || x->wasted > x->work / WASTE_SHARE || !has_open_choice(x))
        return OPAC_OK;
    opac_status status = run(x, x->best.steps, &result, error);
    *is_short = status == OPAC_OK && result.outcome == SOLVE_RECURRENCE_FOUND;
    if (!*is_short)
        x->wasted += result.work;
    return status;
}

static opac_status visit(enumeration *x, bool *more, opac_error *error)
{
    bool is_short;
    if (solve_tour_is_whole(&x->tour)) {
        opac_status status = look(x, error);
        *more = solve_tour_next(&x->tour);
        return status;
    }
    opac_status status = look_ahead(x, &is_short, error);
    if (is_short)
        *more = solve_tour_next(&x->tour);
    else
        solve_tour_go(&x->tour);
    return status;
}

static opac_status look_at_all(enumeration *x, opac_error *error)
{
    bool more = true;
    opac_status status = OPAC_OK;
    solve_tour_begin(&x->tour);
    while (more && status == OPAC_OK && !is_over(x))
        status = visit(x, &more, error);
    x->is_partial |= more;
    return status;
}

/* ---- local search ---- */

/* Beginning number 0 takes first choices, the others what a hash says. */
static void begin_search(enumeration *x, uint64_t number)
{
    for (uint32_t s = 0; s < x->tour.process->state_count; s++) {
        uint32_t count = solve_distinct_count(&x->tour.distinct, s);
        x->wish[s] = number == 0 ? 0 : (uint32_t)(base_hash_word(number << 32 | s) % count);
    }
}

static opac_status try_wish(enumeration *x, uint64_t *steps, opac_error *error)
{
    solve_tour_visit(&x->tour, x->wish);
    opac_status status = measure(x, steps, error);
    x->policies++;
    return status;
}

/* The longest that another choice in one state gives; *steps grows if there is one. */
static opac_status try_state(enumeration *x, uint32_t state, uint64_t *steps, opac_error *error)
{
    uint32_t count = solve_distinct_count(&x->tour.distinct, state), own = x->wish[state];
    opac_status status = OPAC_OK;
    for (uint32_t i = 0; i < count && status == OPAC_OK && !is_over(x); i++) {
        uint64_t other = 0;
        if (i == own)
            continue;
        x->wish[state] = i;
        status = try_wish(x, &other, error);
        if (status == OPAC_OK && other > *steps) {
            *steps = other;
            own = i;
        }
    }
    x->wish[state] = own;
    solve_tour_visit(&x->tour, x->wish);
    return status;
}

static opac_status climb(enumeration *x, opac_error *error)
{
    uint64_t steps = 0, before;
    opac_status status = try_wish(x, &steps, error);
    do {
        before = steps;
        for (uint32_t s = 0; s < x->tour.process->state_count && status == OPAC_OK; s++)
            if (x->tour.is_met[s])
                status = try_state(x, s, &steps, error);
    } while (status == OPAC_OK && steps > before && !is_over(x));
    return status;
}

static bool has_choice(const enumeration *x)
{
    return x->tour.distinct.choice.count > x->tour.process->state_count;
}

static opac_status search(enumeration *x, opac_error *error)
{
    opac_status status = OPAC_OK;
    for (uint64_t i = 0; i < BEGINNINGS && status == OPAC_OK && !is_over(x); i++) {
        begin_search(x, i);
        status = climb(x, error);
    }
    return status;
}

/* ---- the whole ---- */

static opac_status find(enumeration *x, opac_error *error)
{
    const graph_process *process = x->tour.process;
    opac_status status = solve_clock_read(&x->clock, process, error);
    x->wish = base_alloc(process->state_count, sizeof *x->wish);
    if (status == OPAC_OK && x->wish == NULL)
        status = base_fail_memory(error);
    x->limit = x->options->max_work / SEARCH_SHARE;
    if (status == OPAC_OK && has_choice(x))
        status = search(x, error);
    x->limit = x->options->max_work;
    x->is_partial = false; /* what the search left out, the tour looks at */
    x->policies = 0;
    return status == OPAC_OK ? look_at_all(x, error) : status;
}

opac_status solve_recurrence_process(const graph_process *process, uint32_t start,
                                     const solve_recurrence_options *options,
                                     solve_recurrence *result, uint32_t *choice, uint64_t *policies,
                                     opac_error *error)
{
    enumeration x = {.options = options, .start = start, .choice = choice};
    opac_status status = solve_clock_check(process, start, options, error);
    if (status != OPAC_OK)
        return status;
    status = solve_tour_init(&x.tour, process, start, error);
    if (status == OPAC_OK)
        status = find(&x, error);
    *result = x.best;
    /* If the tour could leave out all of them, the search has looked at the one that is named. */
    *policies = x.policies > 0 || x.best.steps == 0 ? x.policies : 1;
    result->work = x.work;
    result->outcome = x.is_longer    ? SOLVE_RECURRENCE_LONGER
                      : x.is_partial ? SOLVE_RECURRENCE_TOO_BIG
                                     : SOLVE_RECURRENCE_FOUND;
    base_free(x.wish);
    solve_tour_fini(&x.tour);
    solve_clock_fini(&x.clock);
    return status;
}
