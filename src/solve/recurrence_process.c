/* SPDX-License-Identifier: MIT */
/*
 * The maximum recurrence time over all positional policies (policy_enumeration.h).
 *
 * First a search (recurrence_search.h) finds a policy with a long time, possibly the longest. Then all
 * policies are enumerated. Most of them are cheap to compare with the best one: all but epsilon of their
 * runs are done earlier, often after a few steps.
 *
 * Pruning. A partial policy is evaluated as if runs that reach an undecided state are never done. If even
 * then all but epsilon of the runs are done by the best time, no completion of the partial policy has a
 * longer time, and all of them are skipped.
 *
 * If the work does not suffice for all policies, the longest time found is a lower bound.
 */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "solve/recurrence_search.h"

enum {
    SEARCH_SHARE = 3, /* the search may take one part in this many of the work */
    WASTE_SHARE = 4,  /* failed attempts at pruning may take one part in this many of the work */
    POLICY_WORK = 64, /* elementary steps of overhead per policy */
    SEARCH_MAX_COMPONENT = 8 /* largest component of which the search tracks all states */
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
                               x->enumeration.undecided};
    opac_status status = solve_recurrence_solver_run(&x->solver, &chain, options, result, error);
    x->work += result->work + POLICY_WORK;
    return status;
}

static uint64_t work_left(const solve_recurrence_max *x)
{
    return x->limit == 0 ? 0 : x->limit > x->work ? x->limit - x->work : 1;
}

/* Computes a lower bound, tracking only rare states of large components. The outcome is never FOUND. */
static opac_status run_lower_bound(solve_recurrence_max *x, uint64_t max_steps,
                                   uint32_t max_component, solve_recurrence *result,
                                   opac_error *error)
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

/* Computes the time, or a lower bound if a component is too large and there is more than one policy. */
static opac_status run(solve_recurrence_max *x, uint64_t max_steps, solve_recurrence *result,
                       opac_error *error)
{
    solve_recurrence_options options = *x->options;
    options.max_steps = max_steps;
    options.max_work = work_left(x);
    TRY(run_chain(x, &options, result, error));
    if (result->outcome != SOLVE_RECURRENCE_TOO_BIG || result->steps > 0 || !x->has_choice)
        return OPAC_OK;
    return run_lower_bound(x, max_steps, x->options->max_component, result, error);
}

/* Updates the best time. An exact time replaces an equal lower bound. */
static void update_best(solve_recurrence_max *x, const solve_recurrence *result, bool is_first)
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

/* Computes the time of the current policy. */
static opac_status measure(solve_recurrence_max *x, opac_error *error)
{
    solve_recurrence result;
    TRY(run(x, x->options->max_steps, &result, error));
    update_best(x, &result, x->policies == 0 && x->best.steps == 0);
    return OPAC_OK;
}

opac_status solve_recurrence_max_try(solve_recurrence_max *x, const uint32_t *index,
                                     uint64_t *steps, opac_error *error)
{
    solve_recurrence result;
    solve_enumeration_set(&x->enumeration, index);
    TRY(run_lower_bound(x, x->options->max_steps, SEARCH_MAX_COMPONENT, &result, error));
    update_best(x, &result, x->policies == 0);
    *steps = result.steps;
    x->policies++;
    return OPAC_OK;
}

/* Examines the current policy: computes its time only if it exceeds the best. */
static opac_status compare_with_best(solve_recurrence_max *x, opac_error *error)
{
    solve_recurrence result = {.outcome = SOLVE_RECURRENCE_LONGER};
    if (x->best.steps > 0)
        TRY(run(x, x->best.steps, &result, error));
    if (result.outcome == SOLVE_RECURRENCE_LONGER)
        TRY(measure(x, error));
    /* The best time was a lower bound until now. */
    if (result.outcome == SOLVE_RECURRENCE_FOUND && result.steps == x->best.steps)
        x->best = result;
    x->is_partial |= result.outcome == SOLVE_RECURRENCE_TOO_BIG;
    x->policies++;
    return OPAC_OK;
}

/* Whether the partial policy has at least two completions. */
static bool has_several_completions(const solve_recurrence_max *x)
{
    for (uint32_t i = x->enumeration.depth; i < x->enumeration.reached_count; i++)
        if (solve_distinct_count(&x->enumeration.distinct, x->enumeration.reached[i]) > 1)
            return true;
    return false;
}

/* *is_short: no completion takes longer than the best. Limits the work of failed attempts. */
static opac_status try_to_prune(solve_recurrence_max *x, bool *is_short, opac_error *error)
{
    solve_recurrence result;
    *is_short = false;
    if (x->best.steps == 0 || x->wasted > x->work / WASTE_SHARE || !has_several_completions(x))
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
        opac_status status = compare_with_best(x, error);
        *more = solve_enumeration_next(&x->enumeration);
        return status;
    }
    opac_status status = try_to_prune(x, &is_short, error);
    if (is_short)
        *more = solve_enumeration_next(&x->enumeration);
    else
        solve_enumeration_extend(&x->enumeration);
    return status;
}

static opac_status enumerate(solve_recurrence_max *x, opac_error *error)
{
    bool more = true;
    solve_enumeration_reset(&x->enumeration);
    while (more && !solve_recurrence_max_is_finished(x))
        TRY(visit(x, &more, error));
    x->is_partial |= more;
    return OPAC_OK;
}

/* ---- the whole computation ---- */

/* Computes the exact time of the policy that the search found by lower bounds. */
static opac_status measure_best(solve_recurrence_max *x, opac_error *error)
{
    solve_distinct_indices(&x->enumeration.distinct, x->choice, x->enumeration.process->state_count,
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
        TRY(measure_best(x, error));
    x->limit = x->options->max_work;
    if (x->options->search_only)
        return OPAC_OK;
    x->is_partial = false; /* the enumeration examines all policies again */
    x->policies = 0;
    return enumerate(x, error);
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
    /* If the enumeration pruned all policies, the search has examined the one returned. */
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
