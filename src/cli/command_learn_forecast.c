/* SPDX-License-Identifier: MIT */
/* omegapac learn: the forecast printed before a run. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <omegapac/number.h>
#include <omegapac/quantity.h>

#include "cli/command_learn.h"

enum {
    COUNT_SIZE = OPAC_QUANTITY_SIZE + 40
};

static const double forecast_rate = 1e8; /* steps per second, typical of one core */

/* Runs the learner without an episode, for the numbers that follow from the options alone. */
static opac_status run_without_steps(const cli_learn *l, opac_learn_report *report,
                                     opac_error *error)
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

/* How k was chosen: "rule l1", "for the target" or "as given". The text may be in the buffer of 32 bytes. */
static const char *describe_choice(const opac_learn_options *options, char *buffer)
{
    if (options->target > 0 || options->k > 0)
        return options->target > 0 ? "for the target" : "as given";
    snprintf(buffer, 32, "rule %s", opac_k_rule_name(options->k_rule));
    return buffer;
}

/* For a simulator whose sizes were not declared. */
static void print_k_without_sizes(const cli_learn *l, const opac_learn_report *report)
{
    char choice[32];
    fprintf(stderr,
            "omegapac learn: a state-action pair is known after k = %" PRIu64
            " samples (%s; T = %" PRIu64 "%s); the number of pairs is unknown\n",
            report->k, describe_choice(&l->options, choice), report->horizon,
            l->options.horizon == 0 ? " initially" : "");
}

static void print_k(const cli_learn *l, const opac_learn_report *report)
{
    char choice[32];
    fprintf(stderr,
            "omegapac learn: a state-action pair is known after k = %" PRIu64
            " samples (%s; N = %" PRIu64 ", K = %" PRIu64 ", m = %" PRIu64 ", T = %" PRIu64 "%s)\n",
            report->k, describe_choice(&l->options, choice), report->theory_states,
            report->theory_actions, report->branching, report->horizon,
            l->options.horizon == 0 ? " initially" : "");
}

static void print_steps(const cli_learn *l, const opac_learn_report *report)
{
    char all[OPAC_QUANTITY_SIZE], least[OPAC_QUANTITY_SIZE], time[OPAC_QUANTITY_SIZE];
    opac_count samples = all_samples(report);
    double seconds = fmin(samples.approximate / forecast_rate, DBL_MAX);
    fprintf(stderr,
            "omegapac learn: the run takes at least %s steps, and %s if all N*K "
            "pairs must become known: %s at 10^8 steps per second%s\n",
            opac_quantity_format((double)report->k, least, sizeof least),
            opac_quantity_format(samples.approximate, all, sizeof all),
            opac_duration_format(seconds, time, sizeof time),
            l->options.sampler == OPAC_SAMPLER_STEP
                ? ""
                : "; far less if many episodes are sampled together");
}

/* The bound holds in expectation, while the known pairs are accurate. */
static void print_slack(const cli_learn *l, const opac_learn_report *report)
{
    char episodes[OPAC_QUANTITY_SIZE];
    opac_bound_guarantee offer = {.accuracy = report->accuracy, .samples = all_samples(report)};
    opac_count count;
    opac_error error;
    if (!(l->options.slack > 0) ||
        opac_bound_episodes(&offer, l->options.slack, &count, &error) != OPAC_OK)
        return;
    fprintf(stderr,
            "omegapac learn: with --slack, the expected number of episodes is at "
            "most %s, of T steps each\n",
            opac_quantity_format(count.approximate, episodes, sizeof episodes));
}

/* ---- with --pmin or --graph ---- */

/* "7 visits", or "more than 2^64 visits". */
static const char *format_count(uint64_t count, const char *noun, char *buffer, size_t size)
{
    char number[OPAC_QUANTITY_SIZE];
    if (count == UINT64_MAX)
        snprintf(buffer, size, "more than 2^64 %ss", noun);
    else
        snprintf(buffer, size, "%s %s%s",
                 opac_quantity_format((double)count, number, sizeof number), noun,
                 count == 1 ? "" : "s");
    return buffer;
}

/* With fewer than a hundred pairs, the second number is that of the last one. */
static void print_supports(const opac_learn_options *options, const opac_learn_costs *costs)
{
    char first[COUNT_SIZE], last[OPAC_QUANTITY_SIZE];
    if (costs->support_first == 0)
        return;
    if (costs->most_successors == 1) {
        fprintf(stderr, "omegapac learn: every state-action pair has one successor, and is "
                        "complete after one visit\n");
        return;
    }
    fprintf(stderr, "omegapac learn: the first state-action pair is complete after %s",
            format_count(costs->support_first, "visit", first, sizeof first));
    if (costs->support_hundredth < UINT64_MAX)
        fprintf(stderr, ", the %s one after %s",
                (double)options->states * (double)options->actions < 100 ? "last" : "hundredth",
                opac_quantity_format((double)costs->support_hundredth, last, sizeof last));
    if (costs->most_successors > 0)
        fprintf(stderr, ", and any pair once %" PRIu64 " successors have been seen",
                costs->most_successors);
    fprintf(stderr, "\n");
}

static void print_intervals(const cli_learn *l, const opac_learn_costs *costs)
{
    char epsilon[OPAC_NUMBER_SIZE], samples[COUNT_SIZE];
    if (l->options.epsilon == 0)
        return;
    opac_number_format(l->options.epsilon, epsilon);
    if (costs->interval == 0)
        fprintf(stderr,
                "omegapac learn: the probabilities of a complete pair are then known up "
                "to %s without further samples\n",
                epsilon);
    else
        fprintf(stderr,
                "omegapac learn: a probability of 1/2 is known up to %s after %s; a "
                "probability that is 0 or 1 on the graph needs none\n",
                epsilon, format_count(costs->interval, "sample", samples, sizeof samples));
}

static void print_start(const cli_learn *l, const opac_learn_costs *costs)
{
    char epsilon[OPAC_NUMBER_SIZE], resets[COUNT_SIZE];
    if (costs->start == 0 || !opac_environment_get_traits(l->environment).random_start)
        return;
    fprintf(stderr,
            "omegapac learn: the start state is random, and --pmin-start is not "
            "given: unseen start states have probability at most %s after %s in a "
            "row without a new one\n",
            opac_number_format(l->options.epsilon, epsilon),
            format_count(costs->start, "reset", resets, sizeof resets));
}

/* With a question, says when the run ends. */
static void print_end(const cli_learn *l)
{
    char asked[OPAC_NUMBER_SIZE], epsilon[OPAC_NUMBER_SIZE];
    if (l->options.at_least == 0)
        return;
    opac_number_format(l->options.at_least, asked);
    fprintf(stderr,
            "omegapac learn: the run ends when the lower bound is at least %s, or the upper bound "
            "is below it",
            asked);
    if (l->options.epsilon > 0)
        fprintf(stderr, ", or the bracket is at most %s wide",
                opac_number_format(l->options.epsilon, epsilon));
    fprintf(stderr, "\n");
}

/* Takes sizes that were not declared from the model. */
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
    if (options.alike)
        fprintf(stderr,
                "omegapac learn: samples of all state-action pairs of a class count together\n");
    else
        print_supports(&options, &costs);
    print_intervals(l, &costs);
    print_start(l, &costs);
    print_end(l);
    return OPAC_OK;
}

/* ---- with -T and without --k ---- */

/* The width at which the run ends if the optimum is 1: a question may be answered before. */
static double width_at_end(const opac_learn_options *options, double wanted)
{
    double width = 1 - options->at_least;
    return options->at_least > 0 && width > wanted && width < 1 ? width : wanted;
}

/* Nothing is printed for options that the learner refuses. */
static void forecast_horizon(const cli_learn *l)
{
    const opac_learn_options *options = &l->options;
    char target[OPAC_NUMBER_SIZE], asked[OPAC_NUMBER_SIZE], episodes[COUNT_SIZE], steps[COUNT_SIZE];
    const opac_bound_params params = {.states = 1,
                                      .actions = 1,
                                      .horizon = options->horizon > 0 ? options->horizon : 1,
                                      .epsilon = options->epsilon,
                                      .delta = options->delta};
    double wanted = options->target > 0 ? options->target : 4 * options->epsilon;
    opac_bound_bracket offer;
    opac_error error;
    if (l->model.arguments->values[CLI_QUIET].given ||
        opac_bound_bracket_for(&params, width_at_end(options, wanted), &offer, &error) != OPAC_OK)
        return;
    fprintf(stderr, "omegapac learn: the run ends when the bracket is at most %s wide",
            opac_number_format(wanted, target));
    if (options->at_least > 0)
        fprintf(stderr, ", the lower bound is at least %s, or the upper bound is below it",
                opac_number_format(options->at_least, asked));
    if (options->horizon == 0)
        fprintf(stderr, ", and the samples do not refute T, which is doubled from 1 on\n");
    else
        fprintf(stderr,
                "; if the optimum is 1, a trial of a policy that wins every episode then takes %s "
                "of %s\n",
                format_count(offer.episodes.value, "episode", episodes, sizeof episodes),
                format_count(options->horizon, "step", steps, sizeof steps));
}

/* ---- if nothing is known ---- */

static void forecast_trial(const cli_learn *l)
{
    char number[OPAC_NUMBER_SIZE];
    if (l->model.arguments->values[CLI_QUIET].given)
        return;
    fprintf(stderr,
            "omegapac learn: nothing is known about the system, so there is no upper bound: "
            "the run ends when the lower bound is ");
    if (l->options.at_least > 0)
        fprintf(stderr, "at least %s", opac_number_format(l->options.at_least, number));
    if (l->options.epsilon > 0)
        fprintf(stderr,
                "%swithin %s of the share of episodes that the policy wins, and "
                "no policy is better by the frequencies",
                l->options.at_least > 0 ? ", or " : "",
                opac_number_format(l->options.epsilon, number));
    fprintf(stderr, "\n");
}

opac_status cli_learn_forecast(cli_learn *l, opac_error *error)
{
    if (l->has_horizon) {
        forecast_horizon(l);
        return OPAC_OK;
    }
    if (l->has_trial) {
        forecast_trial(l);
        return OPAC_OK;
    }
    if (l->is_bracket)
        return forecast_bracket(l, error);
    opac_learn_report report;
    TRY(run_without_steps(l, &report, error));
    if (l->model.arguments->values[CLI_QUIET].given)
        return OPAC_OK;
    if (report.theory_states == 0) {
        print_k_without_sizes(l, &report);
        return OPAC_OK;
    }
    print_k(l, &report);
    print_steps(l, &report);
    print_slack(l, &report);
    return OPAC_OK;
}
