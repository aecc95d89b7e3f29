/* SPDX-License-Identifier: MIT */
/* omegapac learn: what it will take, said before it is done. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <omegapac/number.h>
#include <omegapac/quantity.h>

#include "cli/command_learn.h"

enum {
    MANY_SIZE = OPAC_QUANTITY_SIZE + 40
};

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
    TRY(opac_learn(l->environment, cli_learn_objective(l), &options, &learning, error));
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

/* "rule l1", "for the target", "as given". */
static const char *say_rule(const opac_learn_options *options)
{
    static const char *const words[] = {
        [OPAC_K_PAPER] = "rule paper", [OPAC_K_SOUND] = "rule sound", [OPAC_K_L1] = "rule l1"};
    return options->target > 0 ? "for the target"
           : options->k > 0    ? "as given"
                               : words[options->k_rule];
}

/* Of a simulator whose sizes were not declared. */
static void tell_little(const cli_learn *l, const opac_learn_report *report)
{
    fprintf(stderr,
            "omegapac learn: a pair of state and action is known after k = %" PRIu64
            " observations (%s; T = %" PRIu64 "%s); how many pairs there are is not known\n",
            report->k, say_rule(&l->options), report->horizon,
            l->options.horizon == 0 ? " at first" : "");
}

static void tell_k(const cli_learn *l, const opac_learn_report *report)
{
    fprintf(stderr,
            "omegapac learn: a pair of state and action is known after k = %" PRIu64
            " observations (%s; N = %" PRIu64 ", K = %" PRIu64 ", m = %" PRIu64 ", T = %" PRIu64
            "%s)\n",
            report->k, say_rule(&l->options), report->theory_states, report->theory_actions,
            report->branching, report->horizon, l->options.horizon == 0 ? " at first" : "");
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
    opac_bound_guarantee offer = {.accuracy = report->accuracy, .samples = all_samples(report)};
    opac_count count;
    opac_error error;
    if (!(l->options.slack > 0) ||
        opac_bound_episodes(&offer, l->options.slack, &count, &error) != OPAC_OK)
        return;
    fprintf(stderr,
            "omegapac learn: with the slack, at most %s episodes are expected, of T steps each\n",
            opac_quantity_format(count.approximate, episodes, sizeof episodes));
}

/* ---- with --pmin or --graph ---- */

/* "7 visits", or that they are too many. */
static const char *show_many(uint64_t count, const char *noun, char *buffer, size_t size)
{
    char number[OPAC_QUANTITY_SIZE];
    if (count == UINT64_MAX)
        snprintf(buffer, size, "more %ss than 64 bits can count", noun);
    else
        snprintf(buffer, size, "%s %s%s",
                 opac_quantity_format((double)count, number, sizeof number), noun,
                 count == 1 ? "" : "s");
    return buffer;
}

/* Of fewer than a hundred pairs, the last one. */
static void tell_supports(const opac_learn_options *options, const opac_learn_costs *costs)
{
    char first[MANY_SIZE], last[OPAC_QUANTITY_SIZE];
    if (costs->support_first == 0)
        return;
    if (costs->most_successors == 1) {
        fprintf(stderr, "omegapac learn: an action leads to one state, known after one visit\n");
        return;
    }
    fprintf(stderr,
            "omegapac learn: where an action can lead to is known after %s to the first pair of "
            "state and action",
            show_many(costs->support_first, "visit", first, sizeof first));
    if (costs->support_hundredth < UINT64_MAX)
        fprintf(stderr, ", %s to the %s",
                opac_quantity_format((double)costs->support_hundredth, last, sizeof last),
                (double)options->states * (double)options->actions < 100 ? "last" : "hundredth");
    if (costs->most_successors > 0)
        fprintf(stderr, ", or once %" PRIu64 " successors were seen", costs->most_successors);
    fprintf(stderr, "\n");
}

static void tell_intervals(const cli_learn *l, const opac_learn_costs *costs)
{
    char epsilon[OPAC_NUMBER_SIZE], samples[MANY_SIZE];
    opac_number_format(l->options.epsilon, epsilon);
    if (costs->interval == 0)
        fprintf(
            stderr,
            "omegapac learn: then no transition probability is open by more than %s, and none has "
            "to be estimated\n",
            epsilon);
    else
        fprintf(stderr,
                "omegapac learn: a probability of 1/2 is enclosed within %s after %s; what is 0 "
                "or 1 on the graph needs none\n",
                epsilon, show_many(costs->interval, "sample", samples, sizeof samples));
}

static void tell_start(const cli_learn *l, const opac_learn_costs *costs)
{
    char epsilon[OPAC_NUMBER_SIZE], resets[MANY_SIZE];
    if (costs->start == 0 || !opac_environment_get_traits(l->environment).random_start)
        return;
    fprintf(
        stderr,
        "omegapac learn: the start is random, and has no bound (--pmin-start): start states not "
        "seen have a probability of %s at most after %s in a row that show no new one\n",
        opac_number_format(l->options.epsilon, epsilon),
        show_many(costs->start, "reset", resets, sizeof resets));
}

/* What was not declared, the model knows of itself. */
static void add_sizes(const opac_model *model, opac_learn_options *options)
{
    uint64_t actions = 1, branching = opac_model_initial_count(model);
    for (uint32_t i = 0; i < opac_model_states(model); i++)
        if (opac_model_choice_count(model, i) > actions)
            actions = opac_model_choice_count(model, i);
    for (uint32_t i = 0; i < opac_model_choices(model); i++)
        if (opac_model_branch_count(model, i) > branching)
            branching = opac_model_branch_count(model, i);
    if (options->states == 0)
        options->states = opac_model_states(model);
    if (options->actions == 0)
        options->actions = actions;
    if (options->branching == 0)
        options->branching = branching;
}

static opac_status forecast_bracket(const cli_learn *l, opac_error *error)
{
    opac_learn_options options = l->options;
    opac_learn_costs costs;
    if (l->model.model != NULL)
        add_sizes(l->model.model, &options);
    TRY(opac_learn_find_costs(&options, &costs, error));
    if (l->model.arguments->values[CLI_QUIET].given)
        return OPAC_OK;
    tell_supports(&options, &costs);
    tell_intervals(l, &costs);
    tell_start(l, &costs);
    return OPAC_OK;
}

opac_status cli_learn_forecast(cli_learn *l, opac_error *error)
{
    if (l->is_bracket)
        return forecast_bracket(l, error);
    opac_learn_report report;
    TRY(rehearse(l, &report, error));
    if (l->model.arguments->values[CLI_QUIET].given)
        return OPAC_OK;
    if (report.theory_states == 0) {
        tell_little(l, &report);
        return OPAC_OK;
    }
    tell_k(l, &report);
    tell_steps(l, &report);
    tell_slack(l, &report);
    return OPAC_OK;
}
