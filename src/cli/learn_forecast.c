/* SPDX-License-Identifier: MIT */
/* omegapac learn: what it will take, said before it is done. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <omegapac/quantity.h>

#include "cli/learn.h"

static const double forecast_rate = 1e8; /* steps a second, what one core of today does */

/* A run that ends before its first episode knows all that follows from the options alone. */
static opac_status rehearse(const cli_learn *l, opac_learn_report *report, opac_error *error)
{
    opac_learn_options options = l->options;
    opac_learning *learning;
    options.max_steps = 1;
    options.checkpoint = NULL;
    options.resume = false;
    options.trace = NULL;
    options.notice = options.failure = NULL;
    options.progress = NULL;
    options.threads = 1;
    options.recurrence_work = 1;
    opac_status status =
        opac_learn(l->environment, cli_learn_objective(l), &options, &learning, error);
    if (status != OPAC_OK)
        return status;
    *report = *opac_learning_report(learning);
    opac_learning_free(learning);
    return OPAC_OK;
}

static opac_count all_samples(const opac_learn_report *report)
{
    opac_count k = opac_count_of(report->k);
    opac_count samples = opac_count_times(&k, report->theory_states);
    return opac_count_times(&samples, report->theory_actions);
}

static void tell_k(const cli_learn *l, const opac_learn_report *report)
{
    fprintf(stderr,
            "omegapac learn: a pair of state and action is known after k = %" PRIu64
            " observations (%s; N = %" PRIu64 ", K = %" PRIu64 ", m = %" PRIu64 ", T = %" PRIu64
            "%s)\n",
            report->k, cli_learn_rule(l->model.arguments), report->theory_states,
            report->theory_actions, report->branching, report->horizon,
            l->options.horizon == 0 ? " at first" : "");
}

static void tell_steps(const cli_learn *l, const opac_learn_report *report)
{
    char all[OPAC_QUANTITY_SIZE], least[OPAC_QUANTITY_SIZE], time[OPAC_QUANTITY_SIZE];
    opac_count samples = all_samples(report);
    double seconds = fmin(samples.approximate / forecast_rate, DBL_MAX);
    fprintf(stderr,
            "omegapac learn: so there are %s steps at least, and %s if all N*K pairs are needed "
            "and no step is wasted: %s at 10^8 steps a second%s\n",
            opac_quantity_format((double)report->k, least, sizeof least),
            opac_quantity_format(samples.approximate, all, sizeof all),
            opac_duration_format(seconds, time, sizeof time),
            l->options.sampler == OPAC_SAMPLER_STEP
                ? ""
                : "; far less where many episodes are drawn together");
}

/* In expectation, where the known pairs are accurate. */
static void tell_slack(const cli_learn *l, const opac_learn_report *report)
{
    char episodes[OPAC_QUANTITY_SIZE];
    opac_bound_offer offer = {.accuracy = report->accuracy, .samples = all_samples(report)};
    opac_count count;
    opac_error error;
    if (!(l->options.slack > 0) ||
        opac_bound_episodes(&offer, l->options.slack, &count, &error) != OPAC_OK)
        return;
    fprintf(stderr,
            "omegapac learn: with the slack, at most %s episodes are expected, of T steps each\n",
            opac_quantity_format(count.approximate, episodes, sizeof episodes));
}

opac_status cli_learn_forecast(cli_learn *l, opac_error *error)
{
    opac_learn_report report;
    opac_status status = rehearse(l, &report, error);
    if (status != OPAC_OK || l->model.arguments->values[CLI_QUIET].given)
        return status;
    tell_k(l, &report);
    tell_steps(l, &report);
    tell_slack(l, &report);
    return OPAC_OK;
}
