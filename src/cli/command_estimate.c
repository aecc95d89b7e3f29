/* SPDX-License-Identifier: MIT */
/* omegapac estimate: the probability of an objective in a Markov chain, from samples. */
#include <omegapac/estimation.h>
#include <omegapac/number.h>

#include "cli/interrupt.h"
#include "cli/objectives.h"
#include "cli/result.h"
#include "cli/simulators.h"
#include "cli/source.h"

typedef struct estimate {
    cli_model model;
    cli_source source; /* for notes */
    cli_objectives *objectives;
    opac_environment *environment;
    opac_estimate_options options;
    opac_estimation found;
    opac_estimate_truth truth;
} estimate;

/* Clears the progress line before printing. */
static void notice(void *context, uint32_t line, uint32_t column, const char *text)
{
    estimate *e = context;
    if (e->model.progress != NULL)
        opac_progress_line_draw(stderr, &(opac_progress_report){.what = "", .finished = true});
    cli_notice(&e->source, line, column, text);
}

static opac_status set_options(estimate *e, opac_error *error)
{
    const cli_value *values = e->model.arguments->values;
    e->options = (opac_estimate_options){.horizon = values[CLI_HORIZON].count,
                                         .epsilon = values[CLI_EPSILON].number,
                                         .delta = values[CLI_DELTA].number,
                                         .width = values[CLI_WIDTH].number,
                                         .seed = values[CLI_SEED].count,
                                         .threads = (unsigned)values[CLI_THREADS].count,
                                         .deterministic = values[CLI_DETERMINISTIC].given,
                                         .untested = values[CLI_TEST_STEPS].given &&
                                                     values[CLI_TEST_STEPS].count == 0,
                                         .trial_steps = values[CLI_TEST_STEPS].count,
                                         .max_steps = values[CLI_MAX_STEPS].count,
                                         .max_seconds = values[CLI_MAX_SECONDS].number,
                                         .max_memory = values[CLI_MAX_MEMORY].count << 20,
                                         .notice = notice,
                                         .notice_context = e,
                                         .cancel = e->model.cancel,
                                         .progress = e->model.progress};
    if (values[CLI_WIDTH].given && e->options.width <= e->options.epsilon)
        return cli_fail(error, "--width must be above epsilon, which is %s",
                        opac_number_format(e->options.epsilon, (char[OPAC_NUMBER_SIZE]){0}));
    return OPAC_OK;
}

static opac_status prepare(estimate *e, opac_error *error)
{
    TRY(set_options(e, error));
    TRY(cli_is_simulator(e->model.arguments)
            ? cli_simulator_open(&e->model, &e->environment, error)
            : cli_model_load(&e->model, e->model.arguments->operands[0], error));
    TRY(cli_objectives_read(&e->model, &e->objectives, error));
    if (cli_objectives_count(e->objectives) > 1)
        return cli_fail(error, "only one objective is allowed, not %zu",
                        cli_objectives_count(e->objectives));
    TRY(cli_model_check_constants(&e->model, error));
    return cli_objectives_check(&e->model, e->objectives, error);
}

/* The true probability is needed only if there is a model, and the automaton only for JSON. */
static opac_status find_truth(estimate *e, opac_error *error)
{
    const cli_value *values = e->model.arguments->values;
    const opac_check_options options = {.max_states = values[CLI_MODEL_STATES].count,
                                        .threads = e->options.threads,
                                        .cancel = e->model.cancel,
                                        .progress = e->model.progress};
    if (e->model.model == NULL && !values[CLI_JSON].given)
        return OPAC_OK;
    return opac_estimate_truth_find(e->model.model,
                                    &cli_objectives_get(e->objectives, 0)->objective, &options,
                                    &e->truth, error);
}

static opac_status print(const estimate *e, opac_error *error)
{
    const opac_estimate_answer answer = {.found = &e->found,
                                         .options = &e->options,
                                         .model = e->model.model,
                                         .objective = cli_objectives_get(e->objectives, 0)->text,
                                         .truth = &e->truth};
    cli_frame frame;
    TRY(cli_frame_open(&frame, e->model.arguments, CLI_SEED, error));
    frame.source.read_seconds = e->model.seconds;
    return cli_frame_print(
        &frame, opac_result_of_estimate(&answer, &frame.source, &frame.result, error), error);
}

static opac_status run(estimate *e, opac_error *error)
{
    TRY(cli_model_begin(&e->model, e->model.arguments, error));
    TRY(prepare(e, error));
    if (e->environment == NULL)
        TRY(opac_environment_of_model(e->model.model, NULL, &e->environment, error));
    TRY(opac_estimate(e->environment, &cli_objectives_get(e->objectives, 0)->objective, &e->options,
                      &e->found, error));
    TRY(find_truth(e, error));
    if (e->found.is_full)
        cli_report_memory_limit(&e->model);
    return print(e, error);
}

static cli_exit exit_of(const estimate *e)
{
    bool is_stopped = e->truth.note.code == OPAC_ERROR_CANCELLED && !cli_interrupt_is_late();
    if (e->found.is_cancelled || is_stopped)
        return cli_interrupt_exit();
    if (e->found.is_full)
        return CLI_EXIT_RESOURCE;
    return e->found.holds && !opac_estimate_is_contradicted(&e->found, &e->truth)
               ? CLI_EXIT_DONE
               : CLI_EXIT_UNGUARANTEED;
}

cli_exit cli_run_estimate(const cli_arguments *arguments)
{
    estimate e = {.model = {.arguments = arguments},
                  .source = {.arguments = arguments, .name = "objective", .first_line = 1}};
    opac_error error;
    opac_status status = run(&e, &error);
    cli_exit exit = status == OPAC_OK ? exit_of(&e) : cli_model_report(&e.model, &error);
    opac_estimate_truth_fini(&e.truth);
    opac_environment_free(e.environment);
    cli_objectives_free(e.objectives);
    cli_model_end(&e.model);
    return exit;
}
