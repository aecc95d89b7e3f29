/* SPDX-License-Identifier: MIT */
#include "sample/budget.h"

#include <float.h>
#include <math.h>

#include "stat/unseen.h"

static const double mixture_share = 1.0 / 16; /* of δ, if a limit may end the run */
static const double open_share = 1.0 / 16; /* of both halves of δ, for rows that are not complete */

/* Parts that are not exact are rounded down, so the sum does not exceed delta. */
sample_budget sample_budget_of(double delta, bool knows_graph, bool has_trials, uint64_t rows)
{
    double part = has_trials ? nextafter(delta * (7.0 / 16), 0) : delta / 2;
    sample_budget budget = {.episodes = has_trials ? delta / 8 : 0, .rows = rows};
    if (knows_graph) {
        budget.interval = 2 * part;
        return budget;
    }
    budget.unseen = budget.discovery = part * open_share;
    budget.support = budget.interval = nextafter(part - budget.unseen, 0);
    return budget;
}

bool sample_budget_divides(double delta)
{
    return delta / 32 >= DBL_MIN;
}

/* If sample_budget_divides, all parts but that for episodes are exact. That one is rounded down, so their sum does
 * not exceed delta. */
sample_budget sample_budget_with_horizon(double delta, uint64_t rows)
{
    return (sample_budget){.support = delta / 4,
                           .interval = delta / 4,
                           .episodes = nextafter(delta * (7.0 / 16), 0),
                           .verdict = delta / 16,
                           .rows = rows};
}

sample_budget sample_budget_by_episodes(double delta, uint64_t rows)
{
    return (sample_budget){.support = delta / 32,
                           .interval = delta / 32,
                           .episodes = nextafter(delta * (15.0 / 16), 0),
                           .rows = rows};
}

uint64_t sample_budget_rows(uint64_t states, uint64_t actions)
{
    if (states == 0 || actions == 0 || actions > (UINT64_MAX - 1) / states)
        return 0;
    return states * actions + 1;
}

double sample_budget_share(const sample_budget *budget, uint64_t i)
{
    double share = 1 / ((double)i * ((double)i + 1));
    return budget->rows > 0 ? (share + 1 / (double)budget->rows) / 2 : share;
}

double sample_budget_log_support(const sample_budget *budget, uint64_t i)
{
    return log(budget->support) + log(sample_budget_share(budget, i));
}

double sample_budget_log_interval(const sample_budget *budget, uint64_t i)
{
    return log(budget->interval) + log(sample_budget_share(budget, i));
}

double sample_budget_log_unseen(const sample_budget *budget, uint64_t i)
{
    return log(budget->unseen) + log(sample_budget_share(budget, i));
}

double sample_budget_log_discovered(const sample_budget *budget, uint64_t i)
{
    return log(budget->discovery) + log(sample_budget_share(budget, i));
}

double sample_budget_log_never_complete(const sample_budget *budget, uint64_t i)
{
    return log(budget->support + budget->unseen) + log(sample_budget_share(budget, i));
}

double sample_budget_log_never_complete_interval(const sample_budget *budget, uint64_t i)
{
    return log(budget->interval + budget->discovery) + log(sample_budget_share(budget, i));
}

double sample_budget_log_successor(double log_row, uint32_t successors, bool is_one_sided)
{
    if (is_one_sided)
        return log_row - log((double)successors / 2);
    return successors > 2 ? log_row - log((double)successors) : log_row;
}

double sample_budget_log_discovery(double log_row, uint64_t k)
{
    return log_row + stat_unseen_log_share(k);
}

double sample_budget_log_episodes(const sample_budget *budget, uint64_t j)
{
    return log(budget->episodes) + stat_unseen_log_share(j);
}

double sample_budget_log_verdict(const sample_budget *budget, uint64_t j)
{
    return log(budget->verdict) + stat_unseen_log_share(j);
}

sample_budget_estimate sample_budget_of_estimate(double delta, bool to_width, bool has_limit)
{
    if (to_width)
        return (sample_budget_estimate){.mixture = delta};
    if (!has_limit)
        return (sample_budget_estimate){.line = delta};
    double mixture = delta * mixture_share;
    return (sample_budget_estimate){.line = nextafter(delta - mixture, 0), .mixture = mixture};
}
