/* SPDX-License-Identifier: MIT */
/* omegapac evaluate: the probability of an objective under a given policy. */
#include <stdio.h>

#include "cli/automata.h"
#include "cli/objectives.h"
#include "cli/policies.h"
#include "cli/result.h"
#include "cli/source.h"

typedef struct evaluate_run {
    cli_model model;
    opac_policy *policy;
    cli_objectives *objectives; /* one, or none for the objective of the policy */
    opac_evaluation *evaluation;
    double seconds;
} evaluate_run;

/* Names the policy file instead of a place in its formula. */
static void add_objective_name(const evaluate_run *e, opac_error *error)
{
    char before[sizeof(cli_piece) + 4];
    error->line = error->column = 0;
    if (cli_objectives_count(e->objectives) > 0 || error->code != OPAC_ERROR_ARGUMENT)
        return;
    snprintf(before, sizeof before, "%s: ",
             cli_show_path(cli_file_name(e->model.arguments->values[CLI_POLICY].text)).text);
    cli_prepend(error, before);
}

static opac_status evaluate(evaluate_run *e, opac_error *error)
{
    const cli_value *values = e->model.arguments->values;
    const opac_objective *objective = NULL;
    double start = opac_clock_seconds();
    opac_evaluation_options options = {.exact = values[CLI_EXACT].given,
                                       .max_states = values[CLI_MODEL_STATES].count,
                                       .cancel = e->model.cancel,
                                       .progress = e->model.progress};
    size_t count = cli_objectives_count(e->objectives);
    if (count > 1)
        return cli_fail(error, "only one objective is allowed, not %zu", count);
    if (count == 1)
        objective = &cli_objectives_get(e->objectives, 0)->objective;
    opac_status status = opac_evaluate(e->policy, objective, &options, &e->evaluation, error);
    if (status != OPAC_OK)
        add_objective_name(e, error);
    e->seconds = opac_clock_seconds() - start;
    return status;
}

static opac_status run(evaluate_run *e, const cli_arguments *arguments, opac_error *error)
{
    TRY(cli_model_begin(&e->model, arguments, error));
    TRY(cli_model_load(&e->model, arguments->operands[0], error));
    TRY(cli_objectives_read(&e->model, &e->objectives, error));
    TRY(cli_model_check_constants(&e->model, error));
    TRY(cli_objectives_check(&e->model, e->objectives, error));
    TRY(cli_policy_load(&e->model, &e->policy, error));
    return evaluate(e, error);
}

static opac_status print(const evaluate_run *e, opac_error *error)
{
    const cli_arguments *arguments = e->model.arguments;
    bool is_given = cli_objectives_count(e->objectives) > 0;
    const opac_evaluate_answer answer = {
        .model = e->model.model,
        .policy = e->policy,
        .policy_name = arguments->values[CLI_POLICY].text,
        .objective = is_given ? cli_objectives_get(e->objectives, 0)->text : NULL,
        .evaluation = e->evaluation,
        .seconds = e->seconds};
    cli_frame frame;
    TRY(cli_frame_open(&frame, arguments, CLI_NO_OPTION, error));
    frame.source.read_seconds = e->model.seconds;
    return cli_frame_print(
        &frame, opac_result_of_evaluate(&answer, &frame.source, &frame.result, error), error);
}

static cli_exit print_and_exit_status(const evaluate_run *e)
{
    opac_error error;
    if (print(e, &error) != OPAC_OK)
        return cli_report(e->model.arguments->command, &error);
    return opac_evaluation_is_precise(e->evaluation) ? CLI_EXIT_DONE : CLI_EXIT_UNGUARANTEED;
}

cli_exit cli_run_evaluate(const cli_arguments *arguments)
{
    evaluate_run e = {0};
    opac_error error;
    opac_status status = run(&e, arguments, &error);
    cli_exit exit =
        status == OPAC_OK ? print_and_exit_status(&e) : cli_model_report(&e.model, &error);
    opac_evaluation_free(e.evaluation);
    opac_policy_free(e.policy);
    cli_objectives_free(e.objectives);
    cli_model_end(&e.model);
    return exit;
}
