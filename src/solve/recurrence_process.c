/* SPDX-License-Identifier: MIT */
/*
 * The greatest recurrence time of all positional policies (policy_enumeration.h).
 *
 * First a search (recurrence_search.h) finds a policy whose time is long, perhaps the longest.
 * Against it most policies are settled soon: all but epsilon of their runs are done before it,
 * often after a few steps. The same is tried before a policy is whole: if runs that come to an
 * open state are never done, and all but epsilon are done before that time even so, then
 * whatever is decided there, it is not longer. If the work does not last for all policies, the
 * longest time found is the lower bound that remains.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "solve/recurrence_search.h"

enum {
    SEARCH_SHARE = 3, /* it may take one part of so many of the work */
    WASTE_SHARE = 4,  /* looks ahead that were in vain may take one part of so many */
    POLICY_WORK = 64, /* elementary steps that a policy costs besides */
    ROUGH_COMPONENT = 8
};

bool solve_recurrence_max_is_finished(const solve_recurrence_max *x)
{
    return x->is_longer || (x->limit != 0 && x->work >= x->limit);
}

/* ---- one policy ---- */

static opac_status run_chain(solve_recurrence_max *x, const solve_recurrence_options *options,
                             solve_recurrence *result, opac_error *error)
{
    const solve_chain chain = {x->enumeration.process, x->enumeration.choice, x->start,
                               x->enumeration.open};
    opac_status status = solve_recurrence_solver_run(&x->solver, &chain, options, result, error);
    x->work += result->work + POLICY_WORK;
    return status;
}

static uint64_t work_left(const solve_recurrence_max *x)
{
    return x->limit == 0 ? 0 : x->limit > x->work ? x->limit - x->work : 1;
}

/* A lower bound, never FOUND: large components are followed in part (rare_states.h). */
static opac_status run_rough(solve_recurrence_max *x, uint64_t max_steps, uint32_t max_component,
                             solve_recurrence *result, opac_error *error)
{
    solve_recurrence_options options = *x->options;
    options.max_steps = max_steps;
    options.max_work = work_left(x);
    options.max_component = max_component;
    options.lower_bound_only = true;
    opac_status status = run_chain(x, &options, result, error);
    if (result->outcome == SOLVE_RECURRENCE_FOUND)
        result->outcome = SOLVE_RECURRENCE_TOO_BIG;
    result->before = result->reached = NAN;
    return status;
}

/* Where a component is too large, a lower bound; not for the only policy that there is. */
static opac_status run(solve_recurrence_max *x, uint64_t max_steps, solve_recurrence *result,
                       opac_error *error)
{
    solve_recurrence_options options = *x->options;
    options.max_steps = max_steps;
    options.max_work = work_left(x);
    TRY(run_chain(x, &options, result, error));
    if (result->outcome != SOLVE_RECURRENCE_TOO_BIG || result->steps > 0 || !x->has_choice)
        return OPAC_OK;
    return run_rough(x, max_steps, x->options->max_component, result, error);
}

/* Keeps what is longest. */
static void keep(solve_recurrence_max *x, const solve_recurrence *result, bool is_first)
{
    x->is_longer |= result->outcome == SOLVE_RECURRENCE_LONGER;
    x->is_partial |= result->outcome == SOLVE_RECURRENCE_TOO_BIG;
    bool is_exact = result->steps == x->best.steps && result->outcome == SOLVE_RECURRENCE_FOUND &&
                    x->best.outcome == SOLVE_RECURRENCE_TOO_BIG;
    if (!is_first && !is_exact && result->steps <= x->best.steps)
        return;
    x->best = *result;
    memcpy(x->choice, x->enumeration.choice,
           x->enumeration.process->state_count * sizeof *x->choice);
}

/* The time of the policy at hand. */
static opac_status measure(solve_recurrence_max *x, opac_error *error)
{
    solve_recurrence result;
    TRY(run(x, x->options->max_steps, &result, error));
    keep(x, &result, x->policies == 0 && x->best.steps == 0);
    return OPAC_OK;
}

opac_status solve_recurrence_max_try(solve_recurrence_max *x, const uint32_t *index,
                                     uint64_t *steps, opac_error *error)
{
    solve_recurrence result;
    solve_enumeration_set(&x->enumeration, index);
    TRY(run_rough(x, x->options->max_steps, ROUGH_COMPONENT, &result, error));
    keep(x, &result, x->policies == 0);
    *steps = result.steps;
    x->policies++;
    return OPAC_OK;
}

/* Only whether it is longer than the best matters. */
static opac_status look(solve_recurrence_max *x, opac_error *error)
{
    solve_recurrence result = {.outcome = SOLVE_RECURRENCE_LONGER};
    if (x->best.steps > 0)
        TRY(run(x, x->best.steps, &result, error));
    if (result.outcome == SOLVE_RECURRENCE_LONGER)
        TRY(measure(x, error));
    /* That very time was known as a lower bound, and is found now. */
    if (result.outcome == SOLVE_RECURRENCE_FOUND && result.steps == x->best.steps)
        x->best = result;
    x->is_partial |= result.outcome == SOLVE_RECURRENCE_TOO_BIG;
    x->policies++;
    return OPAC_OK;
}

/* How many policies begin so, at least, is two; else a look at the one is better. */
static bool has_open_choice(const solve_recurrence_max *x)
{
    for (uint32_t i = x->enumeration.depth; i < x->enumeration.met_count; i++)
        if (solve_distinct_count(&x->enumeration.distinct, x->enumeration.met[i]) > 1)
            return true;
    return false;
}

/* Whether no policy that begins so takes longer than the best. Looks that were in vain are rationed. */
static opac_status look_ahead(solve_recurrence_max *x, bool *is_short, opac_error *error)
{
    solve_recurrence result;
    *is_short = false;
    if (x->best.steps == 0 || x->wasted > x->work / WASTE_SHARE || !has_open_choice(x))
        return OPAC_OK;
    TRY(run(x, x->best.steps, &result, error));
    *is_short = result.outcome == SOLVE_RECURRENCE_FOUND;
    if (!*is_short)
        x->wasted += result.work;
    return OPAC_OK;
}

static opac_status visit(solve_recurrence_max *x, bool *more, opac_error *error)
{
    bool is_short;
    if (solve_enumeration_is_complete(&x->enumeration)) {
        opac_status status = look(x, error);
        *more = solve_enumeration_next(&x->enumeration);
        return status;
    }
    opac_status status = look_ahead(x, &is_short, error);
    if (is_short)
        *more = solve_enumeration_next(&x->enumeration);
    else
        solve_enumeration_extend(&x->enumeration);
    return status;
}

static opac_status look_at_all(solve_recurrence_max *x, opac_error *error)
{
    bool more = true;
    solve_enumeration_reset(&x->enumeration);
    while (more && !solve_recurrence_max_is_finished(x))
        TRY(visit(x, &more, error));
    x->is_partial |= more;
    return OPAC_OK;
}

/* ---- the whole ---- */

/* The search compares lower bounds; here is the time of the policy that it found. */
static opac_status confirm(solve_recurrence_max *x, opac_error *error)
{
    solve_distinct_number(&x->enumeration.distinct, x->choice, x->enumeration.process->state_count,
                          x->index);
    solve_enumeration_set(&x->enumeration, x->index);
    return measure(x, error);
}

static opac_status find(solve_recurrence_max *x, opac_error *error)
{
    const graph_process *process = x->enumeration.process;
    TRY(solve_recurrence_solver_read(&x->solver, process, error));
    x->index = base_alloc(process->state_count, sizeof *x->index);
    if (x->index == NULL)
        return base_fail_memory(error);
    x->has_choice = x->enumeration.distinct.choice.count > process->state_count;
    x->limit = x->options->max_work / SEARCH_SHARE;
    if (x->has_choice)
        TRY(solve_recurrence_search_run(x, error));
    x->limit += x->limit;
    if (x->has_choice && !x->is_longer)
        TRY(confirm(x, error));
    x->limit = x->options->max_work;
    if (x->options->search_only)
        return OPAC_OK;
    x->is_partial = false; /* what the search left out, the tour looks at */
    x->policies = 0;
    return look_at_all(x, error);
}

opac_status solve_recurrence_process(const graph_process *process, uint32_t start,
                                     const solve_recurrence_options *options,
                                     solve_recurrence *result, uint32_t *choice, uint64_t *policies,
                                     opac_error *error)
{
    solve_recurrence_max x = {.options = options, .start = start};
    opac_status status;
    TRY(solve_recurrence_solver_check(process, start, options, error));
    base_work work;
    base_work_init(&work, options->cancel, 0);
    x.choice = base_alloc(process->state_count, sizeof *x.choice);
    if (x.choice == NULL)
        TRY_OR(done, base_fail_memory(error));
    TRY_OR(done, solve_enumeration_init(&x.enumeration, process, start, &work, error));
    TRY_OR(done, find(&x, error));
    if (base_work_is_stopped(&work))
        TRY_OR(done, base_work_fail(&work, "following policies", error));
    *result = x.best;
    /* If the tour could leave out all of them, the search has looked at the one that is named. */
    *policies = x.policies > 0 || x.best.steps == 0 ? x.policies : 1;
    result->work = x.work;
    result->outcome = x.is_longer                            ? SOLVE_RECURRENCE_LONGER
                      : x.is_partial || options->search_only ? SOLVE_RECURRENCE_TOO_BIG
                                                             : SOLVE_RECURRENCE_FOUND;
    if (choice != NULL)
        memcpy(choice, x.choice, process->state_count * sizeof *choice);
done:
    base_free(x.choice);
    base_free(x.index);
    solve_enumeration_fini(&x.enumeration);
    solve_recurrence_solver_fini(&x.solver);
    return status;
}
