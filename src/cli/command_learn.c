/* SPDX-License-Identifier: MIT */
/*
 * omegapac learn: learns a policy from samples.
 *
 * MODEL is a model file or a simulator; the learner uses it only as an environment. The result of a run
 * that a signal stopped is printed like any other, so the request to stop is reset before the result is
 * written.
 */
#include "cli/command_learn.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <omegapac/number.h>

#include "cli/automata.h"
#include "cli/interrupt.h"
#include "cli/policy_files.h"
#include "cli/simulators.h"

const opac_objective *cli_learn_objective(const cli_learn *l)
{
    return &cli_objectives_get(l->objectives, 0)->objective;
}

/* ---- the trace ---- */

/* With a bracket, the trace listener also updates the progress line. */
static bool is_trace_shown(const cli_learn *l)
{
    const cli_value *values = l->model.arguments->values;
    return values[CLI_TRACE].given || (values[CLI_JSON].given && !values[CLI_RUNS].given);
}

void cli_learn_trace(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    cli_learn *l = context;
    opac_error error;
    if (l->is_bracket) {
        l->lower = isnan(entry->lower) ? l->lower : entry->lower;
        l->upper = isnan(entry->upper) ? l->upper : entry->upper;
        l->pairs = entry->known;
        l->candidates = entry->candidates;
    }
    if (is_trace_shown(l) &&
        opac_learn_truth_trace(&l->truth, learning,
                               l->model.arguments->values[CLI_MODEL_STATES].count, entry,
                               &error) != OPAC_OK)
        l->failed = error;
}

static opac_status write_trace(const cli_learn *l, opac_error *error)
{
    const char *path = l->model.arguments->values[CLI_TRACE].text;
    sigset_t before;
    opac_output *out;
    cli_signals_hold(path, &before);
    opac_status status = opac_output_open_file(path, &out, error);
    if (status == OPAC_OK) {
        opac_learning_write_trace(l->learning, out);
        status = opac_output_commit(out, error);
        opac_output_free(out);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
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
    return count == 1
               ? OPAC_OK
               : cli_fail(error, "only one objective is allowed, not %d: give one -f or one -a",
                          count);
}

/* Refuses output files with --runs, because the runs would overwrite them. */
static opac_status check_runs(const cli_arguments *arguments, opac_error *error)
{
    const cli_option_id options[] = {CLI_POLICY, CLI_DOT_FILE, CLI_TRACE, CLI_CHECKPOINT,
                                     CLI_CERTIFICATE};
    char name[32];
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (arguments->values[CLI_RUNS].given && arguments->values[options[i]].given)
            return cli_fail(error, "%s and --runs cannot be used together",
                            cli_option_spelling(&cli_options[options[i]], name));
    if (arguments->values[CLI_RUNS].given &&
        arguments->values[CLI_RUNS].count - 1 > UINT64_MAX - arguments->values[CLI_SEED].count)
        return cli_fail(error, "--runs: the seeds exceed 2^64 - 1; use a smaller --seed or --runs");
    return OPAC_OK;
}

static opac_status check_resume(const cli_arguments *arguments, opac_error *error)
{
    const char *path = arguments->values[CLI_CHECKPOINT].text;
    struct stat found;
    if (!arguments->values[CLI_RESUME].given || stat(path, &found) == 0)
        return OPAC_OK;
    return cli_fail(error,
                    "--resume: the checkpoint %s does not exist; omit --resume to start a "
                    "new run",
                    cli_quote(path).text);
}

/* With a rule, a target determines k by the rule l1. */
static opac_status check_target(const cli_arguments *arguments, opac_error *error)
{
    const cli_value *k = &arguments->values[CLI_K];
    if (!arguments->values[CLI_TARGET].given || !k->given ||
        (k->word != NULL && strcmp(k->word, "l1") == 0))
        return OPAC_OK;
    return cli_fail(error, "--target requires --k l1, and cannot be used with --k %s", k->text);
}

static opac_status check_given(const cli_arguments *arguments, opac_error *error)
{
    TRY(check_one_objective(arguments, error));
    TRY(cli_learn_check_known(arguments, error));
    TRY(check_target(arguments, error));
    TRY(check_runs(arguments, error));
    return check_resume(arguments, error);
}

/* Clears the progress line before printing. */
static void notice(void *context, uint32_t line, uint32_t column, const char *text)
{
    cli_learn *l = context;
    if (l->model.progress != NULL)
        opac_progress_line_draw(stderr, &(opac_progress_report){.what = "", .finished = true});
    cli_notice(&l->source, line, column, text);
}

/* A failure to write a checkpoint does not stop the run, but is an error, which -q does not hide. */
static void report_checkpoint_failure(void *context, uint32_t line, uint32_t column,
                                      const char *text)
{
    cli_learn *l = context;
    opac_error error = {.code = OPAC_ERROR_IO, .line = line, .column = column};
    snprintf(error.message, sizeof error.message, "%s", text);
    if (l->model.progress != NULL)
        opac_progress_line_draw(stderr, &(opac_progress_report){.what = "", .finished = true});
    cli_report(l->model.arguments->command, &error);
}

unsigned cli_learn_value_of(opac_learn_enum words, const cli_value *option)
{
    unsigned value = 0;
    (void)opac_learn_enum_find(words, option->word, &value);
    return value;
}

/* P as it was written, not as the double: 1/3 and 0.6 are no doubles. */
static opac_status set_question(const cli_value *value, opac_learn_options *options,
                                opac_error *error)
{
    if (!value->given)
        return OPAC_OK;
    options->at_least = value->number;
    opac_status status = opac_number_parse_up(value->text, &options->at_least_up, error);
    if (status != OPAC_OK)
        cli_prepend(error, "--at-least: ");
    return status;
}

static void set_numbers(const cli_value *values, opac_learn_options *options)
{
    options->horizon = values[CLI_KNOWN_HORIZON].word == NULL ? values[CLI_KNOWN_HORIZON].count : 0;
    options->nothing_known =
        !values[CLI_KNOWN_HORIZON].given && !values[CLI_PMIN].given && !values[CLI_GRAPH].given;
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
    options->stop = (opac_learn_stop)cli_learn_value_of(OPAC_ENUM_STOP, &values[CLI_STOP]);
    options->sampler =
        (opac_learn_sampler)cli_learn_value_of(OPAC_ENUM_SAMPLER, &values[CLI_SAMPLER]);
    options->count_pairs = cli_learn_value_of(OPAC_ENUM_COUNTS, &values[CLI_COUNTS]) == 1;
    options->checkpoint = values[CLI_CHECKPOINT].text;
    if (values[CLI_CHECKPOINT_SECONDS].is_set)
        options->checkpoint_seconds = values[CLI_CHECKPOINT_SECONDS].number;
    options->resume = values[CLI_RESUME].given;
    options->replace_checkpoint = values[CLI_FORCE].given;
    if (is_trace_shown(l)) {
        options->trace = cli_learn_trace;
        options->trace_context = l;
    }
    options->notice = notice;
    options->notice_context = l;
    options->failure = report_checkpoint_failure;
    options->cancel = l->model.cancel;
    options->progress = l->model.progress;
    TRY(set_question(&values[CLI_AT_LEAST], options, error));
    TRY(opac_automaton_kind_parse(values[CLI_KIND].word, &options->kind, error));
    return values[CLI_K].word == NULL || !values[CLI_K].given
               ? OPAC_OK
               : opac_k_rule_parse(values[CLI_K].word, &options->k_rule, error);
}

/* ---- one run ---- */

static void release_run(cli_learn *l)
{
    opac_learn_sample_free(l->sample);
    opac_policy_free(l->policy);
    opac_learning_free(l->learning);
    l->sample = NULL;
    l->policy = NULL;
    l->learning = NULL;
    l->truth.traced = 0;
    l->lower = 0;
    l->upper = 1;
    l->pairs = l->candidates = 0;
    l->failed = (opac_error){.code = OPAC_OK};
}

opac_status cli_learn_once(cli_learn *l, opac_error *error)
{
    const cli_value *values = l->model.arguments->values;
    release_run(l);
    TRY(opac_learn(l->environment, cli_learn_objective(l), &l->options, &l->learning, error));
    TRY(opac_learning_policy(l->learning, l->model.model, &l->policy, error));
    if (l->model.simulator != NULL && values[CLI_JSON].given && !values[CLI_RUNS].given)
        TRY(opac_learn_sample_new(l->environment, l->learning, l->policy, l->options.seed,
                                  &l->sample, error));
    if (l->failed.code != OPAC_OK)
        *error = l->failed;
    return l->failed.code;
}

/* As text, a note is followed by the option that it is about. */
opac_learn_answer cli_learn_answer(cli_learn *l)
{
    const cli_value *values = l->model.arguments->values;
    if (!values[CLI_JSON].given)
        cli_advise(l->model.arguments->command, &l->truth.note);
    return (opac_learn_answer){
        .learning = l->learning,
        .options = &l->options,
        .environment = l->environment,
        .model = l->model.model,
        .policy = l->policy,
        .objective = cli_objectives_get(l->objectives, 0)->text,
        .truth = &l->truth,
        .sample = l->sample,
        .files = l->files,
        .is_certificate_wanted = values[CLI_CERTIFICATE].given,
        .certificate = l->certified ? values[CLI_CERTIFICATE].text : NULL,
        .certificate_digest = *l->certificate_digest != '\0' ? l->certificate_digest : NULL,
        .certificate_reason = *l->uncertified != '\0' ? l->uncertified : NULL};
}

/* 0, 1 if the answer is no, 3, the status of the signal, or 5 if the checkpoint could not be written. */
static cli_exit exit_of(cli_learn *l)
{
    const opac_learn_report *report = opac_learning_report(l->learning);
    const opac_learn_answer answer = cli_learn_answer(l);
    if (report->checkpoint_failed)
        return CLI_EXIT_RESOURCE;
    if (report->end == OPAC_END_CANCELLED || l->is_stopped)
        return cli_interrupt_exit();
    if (report->end == OPAC_END_MEMORY)
        return CLI_EXIT_RESOURCE;
    if (!opac_learn_holds(&answer))
        return CLI_EXIT_UNGUARANTEED;
    return report->answer == OPAC_ANSWER_NO ? CLI_EXIT_FALSE : CLI_EXIT_DONE;
}

opac_check_options cli_learn_truth_options(const cli_learn *l)
{
    return (opac_check_options){.kind = l->options.kind,
                                .max_states = l->model.arguments->values[CLI_MODEL_STATES].count,
                                .threads = l->options.threads,
                                .cancel = l->model.cancel,
                                .progress = l->model.progress};
}

/* Resets the request to stop, so that the result is printed. */
static opac_status find_truth(cli_learn *l, opac_error *error)
{
    const opac_check_options options = cli_learn_truth_options(l);
    opac_status status = opac_learn_truth_find(&l->truth, l->policy, &options, error);
    l->is_stopped = l->truth.note.code == OPAC_ERROR_CANCELLED && !cli_interrupt_is_late();
    opac_cancel_reset(l->model.cancel);
    return status;
}

static opac_status write_files(cli_learn *l, opac_error *error)
{
    const cli_value *values = l->model.arguments->values;
    uint64_t digest = 0;
    if (values[CLI_TRACE].given)
        TRY(write_trace(l, error));
    if (values[CLI_CERTIFICATE].given)
        TRY(cli_learn_write_certificate(l, error));
    if (!values[CLI_POLICY].given && !values[CLI_DOT_FILE].given)
        return OPAC_OK;
    TRY(cli_policy_files_write(&l->model, l->policy, &digest, error));
    l->files = (opac_result_files){
        .policy = values[CLI_POLICY].text, .digest = digest, .dot = values[CLI_DOT_FILE].text};
    return OPAC_OK;
}

static opac_status print(cli_learn *l, opac_error *error)
{
    const opac_learn_answer answer = cli_learn_answer(l);
    cli_frame frame;
    TRY(cli_frame_open(&frame, l->model.arguments, CLI_SEED, error));
    frame.source.read_seconds = l->model.seconds;
    return cli_frame_print(
        &frame, opac_result_of_learn(&answer, &frame.source, &frame.result, error), error);
}

/* If the simulator failed, adds that the run can be resumed. */
static cli_exit report_failure(cli_learn *l, opac_error *error)
{
    const char *path = l->model.arguments->values[CLI_CHECKPOINT].text;
    struct stat found;
    cli_exit exit = cli_model_report(&l->model, error);
    if (error->code == OPAC_ERROR_SIMULATOR && path != NULL && stat(path, &found) == 0) {
        char text[OPAC_MESSAGE_SIZE];
        snprintf(text, sizeof text, "the checkpoint %s is kept; --resume continues from it",
                 cli_quote(path).text);
        cli_notice(&l->source, 0, 0, text);
    }
    return exit;
}

/* Prints the result even if a file cannot be written. */
static cli_exit run_one(cli_learn *l)
{
    opac_error error, not_printed;
    cli_exit exit = CLI_EXIT_DONE;
    opac_status status = cli_learn_once(l, &error);
    if (status != OPAC_OK)
        return report_failure(l, &error);
    status = find_truth(l, &error);
    if (status == OPAC_OK)
        status = write_files(l, &error);
    if (opac_learning_report(l->learning)->end == OPAC_END_MEMORY)
        cli_report_memory_limit(&l->model);
    if (print(l, &not_printed) != OPAC_OK)
        exit = cli_report(l->model.arguments->command, &not_printed);
    if (status != OPAC_OK)
        return cli_model_report(&l->model, &error);
    return exit != CLI_EXIT_DONE ? exit : exit_of(l);
}

/* ---- the command ---- */

/* A policy induces a chain only in a model. */
static opac_status check_policy_form(const cli_arguments *arguments, opac_error *error)
{
    const char *path = arguments->values[CLI_POLICY].text;
    const char *suffix = path != NULL ? strrchr(path, '.') : NULL;
    if (suffix == NULL || (strcmp(suffix, ".tra") != 0 && strcmp(suffix, ".drn") != 0))
        return OPAC_OK;
    return cli_fail(error,
                    "--policy %s: the induced chain of a simulator is not known; use "
                    "another suffix to write the policy as JSON",
                    cli_quote(path).text);
}

static opac_status load(cli_learn *l, opac_error *error)
{
    const cli_arguments *arguments = l->model.arguments;
    if (!cli_is_simulator(arguments))
        return cli_model_load(&l->model, arguments->operands[0], error);
    TRY(check_policy_form(arguments, error));
    return cli_simulator_open(&l->model, &l->environment, error);
}

static opac_status make_environment(cli_learn *l, opac_error *error)
{
    if (!l->model.arguments->values[CLI_ALIKE].given)
        return opac_environment_of_model(l->model.model, NULL, &l->environment, error);
    opac_status status = opac_environment_of_commands(l->model.model, NULL, &l->environment, error);
    if (status == OPAC_ERROR_UNSUPPORTED)
        return cli_fail(error, "--alike commands requires a PRISM program: %s has no commands",
                        cli_quote(l->model.arguments->operands[0]).text);
    return status;
}

static opac_status prepare(cli_learn *l, opac_error *error)
{
    TRY(check_given(l->model.arguments, error));
    TRY(load(l, error));
    TRY(cli_objectives_read(&l->model, &l->objectives, error));
    TRY(cli_objectives_check(&l->model, l->objectives, error));
    opac_learn_truth_init(&l->truth, l->model.model, cli_learn_objective(l));
    TRY(set_options(l, error));
    if (l->environment == NULL)
        TRY(make_environment(l, error));
    TRY(cli_learn_open_bracket(l, error));
    TRY(cli_model_check_constants(&l->model, error));
    return cli_learn_forecast(l, error);
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
    release_run(&l);
    cli_learn_close_bracket(&l);
    opac_environment_free(l.environment);
    cli_objectives_free(l.objectives);
    cli_model_end(&l.model);
    return exit;
}
