/* SPDX-License-Identifier: MIT */
/*
 * omegapac learn: a policy from samples, and what it is worth.
 *
 * MODEL is a model file, made an environment, or a simulator: the learner sees nothing else of
 * it. A run that a signal stops is told like any other, so the request is taken
 * back before its result is written.
 */
#include "cli/learn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/automata.h"
#include "cli/interrupt.h"
#include "cli/policy_files.h"
#include "cli/simulators.h"

const opac_objective *cli_learn_objective(const cli_learn *l)
{
    return &cli_objectives_get(l->objectives, 0)->objective;
}

/* ---- options ---- */

static opac_status check_one_objective(const cli_arguments *arguments, opac_error *error)
{
    const cli_option_id options[] = {CLI_FORMULA, CLI_AUTOMATON};
    int count = 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        cli_walk walk = {0};
        while (cli_next_value(arguments, options[i], &walk) != NULL)
            count++;
    }
    return count == 1 ? OPAC_OK
                      : cli_fail(error,
                                 "there is one objective at a time, not %d: give one -f or "
                                 "one -a",
                                 count);
}

/* What one run leaves behind, many would overwrite. */
static opac_status check_runs(const cli_arguments *arguments, opac_error *error)
{
    const cli_option_id options[] = {CLI_POLICY, CLI_DOT_FILE, CLI_TRACE, CLI_CHECKPOINT,
                                     CLI_CERTIFICATE};
    char name[32];
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (arguments->values[CLI_RUNS].given && arguments->values[options[i]].given)
            return cli_fail(error, "%s is for one run, so not beside --runs",
                            cli_option_spelling(&cli_options[options[i]], name));
    if (arguments->values[CLI_RUNS].given &&
        arguments->values[CLI_RUNS].count - 1 > UINT64_MAX - arguments->values[CLI_SEED].count)
        return cli_fail(error, "--runs: there are no seeds beyond 2^64 - 1");
    return OPAC_OK;
}

static opac_status check_resume(const cli_arguments *arguments, opac_error *error)
{
    const char *path = arguments->values[CLI_CHECKPOINT].text;
    struct stat found;
    if (!arguments->values[CLI_RESUME].given || stat(path, &found) == 0)
        return OPAC_OK;
    return cli_fail(error,
                    "--resume: there is no checkpoint %s; without --resume a run begins "
                    "anew",
                    cli_quote(path).text);
}

static opac_status check_given(const cli_arguments *arguments, opac_error *error)
{
    opac_status status = check_one_objective(arguments, error);
    if (status == OPAC_OK)
        status = cli_learn_check_known(arguments, error);
    if (status == OPAC_OK)
        status = check_runs(arguments, error);
    return status == OPAC_OK ? check_resume(arguments, error) : status;
}

/* A progress line that stands there goes first. */
static void notice(void *context, uint32_t line, uint32_t column, const char *text)
{
    cli_learn *l = context;
    if (l->model.progress != NULL)
        opac_progress_line_draw(stderr, &(opac_progress_report){.what = "", .finished = true});
    cli_notice(&l->source, line, column, text);
}

/* It stops nothing, but it is an error: -q does not hide it. */
static void tell_failure(void *context, uint32_t line, uint32_t column, const char *text)
{
    cli_learn *l = context;
    opac_error error = {.code = OPAC_ERROR_IO, .line = line, .column = column};
    snprintf(error.message, sizeof error.message, "%s", text);
    if (l->model.progress != NULL)
        opac_progress_line_draw(stderr, &(opac_progress_report){.what = "", .finished = true});
    cli_report(l->model.arguments->command, &error);
}

static opac_learn_sampler sampler_of(const char *word)
{
    if (strcmp(word, "population") == 0)
        return OPAC_SAMPLER_POPULATION;
    return strcmp(word, "step") == 0 ? OPAC_SAMPLER_STEP : OPAC_SAMPLER_AUTO;
}

static void set_numbers(const cli_value *values, opac_learn_options *options)
{
    options->horizon = values[CLI_KNOWN_HORIZON].word == NULL ? values[CLI_KNOWN_HORIZON].count : 0;
    options->epsilon = values[CLI_EPSILON].number;
    options->delta = values[CLI_DELTA].number;
    options->target = values[CLI_TARGET].number;
    options->slack = values[CLI_SLACK].number;
    options->states = values[CLI_STATES].count;
    options->actions = values[CLI_ACTIONS].count;
    options->branching = values[CLI_BRANCHING].count;
    options->deterministic = values[CLI_DETERMINISTIC].given;
    options->trial_steps = values[CLI_TEST_STEPS].count;
    options->untested = values[CLI_TEST_STEPS].given && options->trial_steps == 0;
    options->seed = values[CLI_SEED].count;
    options->threads = (unsigned)values[CLI_THREADS].count;
    options->max_steps = values[CLI_MAX_STEPS].count;
    options->max_seconds = values[CLI_MAX_SECONDS].number;
    options->max_memory = values[CLI_MAX_MEMORY].count << 20;
}

static opac_status set_options(cli_learn *l, opac_error *error)
{
    const cli_value *values = l->model.arguments->values;
    opac_learn_options *options = &l->options;
    *options = opac_learn_defaults();
    set_numbers(values, options);
    options->k = values[CLI_K].count;
    options->stop = strcmp(values[CLI_STOP].word, "all-actions") == 0 ? OPAC_STOP_ALL_ACTIONS
                                                                      : OPAC_STOP_POLICY;
    options->sampler = sampler_of(values[CLI_SAMPLER].word);
    options->count_pairs = strcmp(values[CLI_COUNTS].word, "product") == 0;
    options->checkpoint = values[CLI_CHECKPOINT].text;
    if (values[CLI_CHECKPOINT_SECONDS].is_set)
        options->checkpoint_seconds = values[CLI_CHECKPOINT_SECONDS].number;
    options->resume = values[CLI_RESUME].given;
    options->replace_checkpoint = values[CLI_FORCE].given;
    if (values[CLI_TRACE].given || (values[CLI_JSON].given && !values[CLI_RUNS].given)) {
        options->trace = cli_learn_trace;
        options->trace_context = l;
    }
    options->notice = notice;
    options->notice_context = l;
    options->failure = tell_failure;
    options->cancel = l->model.cancel;
    options->progress = l->model.progress;
    opac_status status = opac_automaton_kind_parse(values[CLI_KIND].word, &options->kind, error);
    if (status == OPAC_OK && values[CLI_K].word != NULL)
        status = opac_k_rule_parse(values[CLI_K].word, &options->k_rule, error);
    return status;
}

/* ---- one run ---- */

void cli_learn_forget(cli_learn *l)
{
    opac_simulation_free(l->simulation);
    cli_learn_drop_sample(l);
    opac_policy_free(l->policy);
    opac_learning_free(l->learning);
    l->simulation = NULL;
    l->policy = NULL;
    l->learning = NULL;
    l->traced = 0;
    l->lower = 0;
    l->upper = 1;
    l->failed = (opac_error){.code = OPAC_OK};
}

/* Made here, so that writing the result cannot run out of memory. */
static opac_status prepare_json(cli_learn *l, opac_error *error)
{
    if (!l->model.arguments->values[CLI_JSON].given)
        return OPAC_OK;
    opac_status status = OPAC_OK;
    if (l->model.model != NULL)
        status = opac_simulation_new(l->model.model, l->options.seed, &l->simulation, error);
    else if (!l->model.arguments->values[CLI_RUNS].given)
        status = cli_learn_take_sample(l, error);
    if (status != OPAC_OK || l->hoa != NULL)
        return status;
    status = opac_output_open_memory(&l->hoa, error);
    if (status != OPAC_OK)
        return status;
    opac_automaton_write_hoa(opac_learning_automaton(l->learning), l->hoa);
    return opac_output_bytes(l->hoa, &(size_t){0}) != NULL ? OPAC_OK
                                                           : opac_output_commit(l->hoa, error);
}

opac_status cli_learn_once(cli_learn *l, opac_error *error)
{
    cli_learn_forget(l);
    opac_status status =
        opac_learn(l->environment, cli_learn_objective(l), &l->options, &l->learning, error);
    if (status != OPAC_OK)
        return status;
    l->report = *opac_learning_report(l->learning);
    status = opac_learning_policy(l->learning, l->model.model, &l->policy, error);
    if (status == OPAC_OK)
        status = prepare_json(l, error);
    if (status == OPAC_OK && l->failed.code != OPAC_OK) {
        *error = l->failed;
        status = error->code;
    }
    return status;
}

bool cli_learn_is_contradicted(const cli_learn *l)
{
    return opac_learn_contradicts(opac_learning_report(l->learning), l->truth.policy,
                                  l->truth.optimum);
}

bool cli_learn_holds(const cli_learn *l)
{
    return opac_learning_report(l->learning)->holds && !cli_learn_is_contradicted(l);
}

cli_exit cli_learn_exit(const cli_learn *l)
{
    const opac_learn_report *report = opac_learning_report(l->learning);
    if (report->checkpoint_failed)
        return CLI_EXIT_RESOURCE;
    if (report->end == OPAC_END_CANCELLED || l->truth.is_stopped)
        return cli_interrupt_exit();
    if (report->end == OPAC_END_MEMORY)
        return CLI_EXIT_RESOURCE;
    return cli_learn_holds(l) ? CLI_EXIT_DONE : CLI_EXIT_UNGUARANTEED;
}

static void leave_out(cli_learn *l)
{
    l->truth.is_stopped = !cli_interrupt_is_late();
    snprintf(l->truth.note, sizeof l->truth.note, "%s",
             l->truth.is_stopped ? "stopped" : "the time is up");
}

/* The truth is left out when a signal came, or when the time is up. */
static opac_status find_truth(cli_learn *l, bool stopped, opac_error *error)
{
    if (stopped || opac_cancel_requested(l->model.cancel)) {
        l->truth = (cli_truth){.policy = NAN, .optimum = NAN};
        leave_out(l);
        return OPAC_OK;
    }
    opac_status status = cli_learn_find_optimum(l, error);
    if (status == OPAC_OK)
        status = cli_learn_find_policy_truth(l, error);
    if (status != OPAC_ERROR_CANCELLED)
        return status;
    leave_out(l);
    return OPAC_OK;
}

static opac_status write_files(cli_learn *l, opac_error *error)
{
    const cli_value *values = l->model.arguments->values;
    opac_status status = OPAC_OK;
    if (values[CLI_TRACE].given)
        status = cli_learn_write_trace(l, error);
    if (status == OPAC_OK && values[CLI_CERTIFICATE].given)
        status = cli_learn_write_certificate(l, error);
    if (status == OPAC_OK && (values[CLI_POLICY].given || values[CLI_DOT_FILE].given)) {
        status = cli_policy_files_write(&l->model, l->policy, &l->digest, error);
        l->written = status == OPAC_OK;
    }
    return status;
}

/* Where the run can be gone on with, when it was not its own fault. */
static cli_exit report_failure(cli_learn *l, opac_error *error)
{
    const char *path = l->model.arguments->values[CLI_CHECKPOINT].text;
    struct stat found;
    cli_exit exit = cli_model_report(&l->model, error);
    if (error->code == OPAC_ERROR_SIMULATOR && path != NULL && stat(path, &found) == 0) {
        char text[OPAC_MESSAGE_SIZE];
        snprintf(text, sizeof text, "the checkpoint %s is kept: --resume goes on from it",
                 cli_quote(path).text);
        cli_notice(&l->source, 0, 0, text);
    }
    return exit;
}

/* What was learned is told even when a file of it cannot be written. */
static cli_exit run_one(cli_learn *l)
{
    const cli_arguments *arguments = l->model.arguments;
    opac_error error;
    opac_status status = cli_learn_once(l, &error);
    if (status != OPAC_OK)
        return report_failure(l, &error);
    bool stopped = opac_learning_report(l->learning)->end == OPAC_END_CANCELLED;
    status = find_truth(l, stopped, &error);
    opac_cancel_reset(l->model.cancel);
    if (status == OPAC_OK)
        status = write_files(l, &error);
    if (opac_learning_report(l->learning)->end == OPAC_END_MEMORY)
        cli_simulator_tell_full(&l->model);
    cli_exit written = cli_write_result(arguments, l, cli_learn_write_text, cli_learn_write_json);
    if (status != OPAC_OK)
        return cli_model_report(&l->model, &error);
    if (written != CLI_EXIT_DONE)
        return written;
    return cli_learn_exit(l);
}

/* ---- the command ---- */

/* The chain that a policy induces is one of a model. */
static opac_status check_policy_form(const cli_arguments *arguments, opac_error *error)
{
    const char *path = arguments->values[CLI_POLICY].text;
    const char *suffix = path != NULL ? strrchr(path, '.') : NULL;
    if (suffix == NULL || (strcmp(suffix, ".tra") != 0 && strcmp(suffix, ".drn") != 0))
        return OPAC_OK;
    return cli_fail(error,
                    "--policy %s: there is no chain of a simulator, whose probabilities nobody "
                    "knows; a policy is written as JSON under any other suffix",
                    cli_quote(path).text);
}

static opac_status load(cli_learn *l, opac_error *error)
{
    const cli_arguments *arguments = l->model.arguments;
    if (!cli_is_simulator(arguments))
        return cli_model_load(&l->model, arguments->operands[0], error);
    opac_status status = check_policy_form(arguments, error);
    return status == OPAC_OK ? cli_simulator_open(&l->model, &l->environment, error) : status;
}

static opac_status prepare(cli_learn *l, opac_error *error)
{
    const cli_arguments *arguments = l->model.arguments;
    opac_status status = check_given(arguments, error);
    if (status == OPAC_OK)
        status = load(l, error);
    if (status == OPAC_OK)
        status = cli_objectives_read(&l->model, &l->objectives, error);
    if (status == OPAC_OK)
        status = cli_objectives_check(&l->model, l->objectives, error);
    if (status == OPAC_OK)
        status = set_options(l, error);
    if (status == OPAC_OK && l->environment == NULL)
        status = opac_environment_of_model(l->model.model, NULL, &l->environment, error);
    if (status == OPAC_OK)
        status = cli_learn_open_bracket(l, error);
    if (status == OPAC_OK)
        status = cli_model_check_constants(&l->model, error);
    return status == OPAC_OK ? cli_learn_forecast(l, error) : status;
}

cli_exit cli_run_learn(const cli_arguments *arguments)
{
    cli_learn l = {.source = {.arguments = arguments, .name = "objective", .first_line = 1}};
    opac_error error;
    opac_status status = cli_model_begin(&l.model, arguments, &error);
    if (status == OPAC_OK)
        status = prepare(&l, &error);
    cli_exit exit = status != OPAC_OK                   ? cli_model_report(&l.model, &error)
                    : arguments->values[CLI_RUNS].given ? cli_learn_run_many(&l)
                                                        : run_one(&l);
    cli_learn_forget(&l);
    opac_output_free(l.hoa);
    cli_learn_close_bracket(&l);
    opac_environment_free(l.environment);
    cli_objectives_free(l.objectives);
    cli_model_end(&l.model);
    return exit;
}
