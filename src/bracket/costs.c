/* SPDX-License-Identifier: MIT */
/*
 * opac_learn_find_costs: least numbers of visits until a support is complete, and until a probability is
 * known up to epsilon, computed before a run. The shares of δ are those of support.h. The environment is not
 * used, so the sizes that it declares must be among the options.
 */
#include <math.h>

#include <omegapac/learning.h>

#include "base/error.h"
#include "sample/budget.h"
#include "stat/sequence.h"

enum {
    HUNDREDTH = 100
};

static const uint64_t most_trials = UINT64_C(1) << 53; /* of a sequence */

static opac_status check(const opac_learn_options *o, opac_error *error)
{
    if (o->pmin != 0 && !(o->pmin > 0 && o->pmin <= 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "pmin", "pmin must lie in (0, 1]");
    if (o->pmin_start != 0 && !(o->pmin_start > 0 && o->pmin_start <= 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "pmin_start",
                                   "pmin_start must lie in (0, 1]");
    if (o->pmin == 0 && o->graph == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "costs need pmin or a graph, and neither is given");
    if (!(o->epsilon > 0 && o->epsilon < 1) && !(o->epsilon == 0 && o->at_least > 0))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "epsilon",
                                   "epsilon must lie in (0, 1)");
    if (!(o->delta > 0 && o->delta < 1))
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "delta", "delta must lie in (0, 1)");
    return OPAC_OK;
}

static sample_budget budget_of(const opac_learn_options *o)
{
    return sample_budget_of(o->delta, o->graph != NULL && !o->alike,
                            o->explore == OPAC_EXPLORE_EPISODES,
                            sample_budget_rows(o->states, o->actions));
}

static uint64_t count_successors(const opac_learn_options *o)
{
    uint64_t most = o->pmin > 0 ? stat_support_size(o->pmin) : 0;
    if (o->branching > 0 && (most == 0 || o->branching < most))
        most = o->branching;
    return most;
}

/* n_i of row i. A row with at most one successor is complete after one visit. */
static uint64_t count_support(const opac_learn_options *o, uint64_t successors, uint64_t i)
{
    if (o->graph != NULL || successors == 1)
        return o->graph != NULL ? 0 : 1;
    sample_budget budget = budget_of(o);
    if (budget.rows > 0 && i > budget.rows) /* fewer rows are declared: use the last one */
        i = budget.rows;
    double log_alpha = sample_budget_log_support(&budget, i);
    return stat_support_visits(o->pmin, (double)successors, log_alpha);
}

/* Width of the interval if half of the trials are successes. It decreases with the number of trials. */
static double find_width(uint64_t trials, double log_alpha)
{
    stat_interval found = stat_sequence_jeffreys(trials / 2, trials, log_alpha);
    return found.upper - found.lower;
}

/* Visits of a row with two successors; 0 if pmin alone makes the interval narrow enough, and without epsilon. */
static uint64_t count_interval(const opac_learn_options *o, uint64_t successors)
{
    sample_budget budget = budget_of(o);
    double log_alpha = sample_budget_log_interval(&budget, 1);
    uint64_t wide = 0, narrow = most_trials / 2; /* half of the number of trials, which is even */
    if (o->epsilon == 0 || successors == 1 || 1 - 2 * o->pmin <= o->epsilon)
        return 0;
    if (find_width(2 * narrow, log_alpha) > o->epsilon)
        return UINT64_MAX;
    while (narrow - wide > 1) {
        uint64_t middle = wide + (narrow - wide) / 2;
        if (find_width(2 * middle, log_alpha) <= o->epsilon)
            narrow = middle;
        else
            wide = middle;
    }
    return 2 * narrow;
}

/* The least j with 1 - alpha^(1/j) <= epsilon, after one start state (stat/unseen.h). */
static uint64_t count_start(const opac_learn_options *o)
{
    if (o->graph != NULL || o->pmin_start > 0 || o->epsilon == 0)
        return 0;
    sample_budget budget = budget_of(o);
    double log_alpha = sample_budget_log_discovery(sample_budget_log_never_complete(&budget, 1), 1);
    return (uint64_t)ceil(log_alpha / log1p(-o->epsilon));
}

opac_status opac_learn_find_costs(const opac_learn_options *options, opac_learn_costs *costs,
                                  opac_error *error)
{
    *costs = (opac_learn_costs){0};
    TRY(check(options, error));
    uint64_t successors = count_successors(options);
    *costs = (opac_learn_costs){.support_first = count_support(options, successors, 1),
                                .support_hundredth = count_support(options, successors, HUNDREDTH),
                                .interval = count_interval(options, successors),
                                .most_successors = successors,
                                .start = count_start(options)};
    return OPAC_OK;
}
