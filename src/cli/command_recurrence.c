/* SPDX-License-Identifier: MIT */
/* omegapac recurrence: the recurrence time of a known model. */
#include "cli/automata.h"
#include "cli/objectives.h"
#include "cli/policies.h"
#include "cli/result.h"

typedef struct recurrence_run {
    cli_model model;
    cli_objectives *objectives; /* exactly one */
    opac_policy *policy;        /* NULL for all positional policies */
    opac_recurrence recurrence;
    double seconds;
} recurrence_run;

static opac_status make_options(const recurrence_run *r, opac_recurrence_options *options,
                                opac_error *error)
{
    const cli_value *values = r->model.arguments->values;
    *options = (opac_recurrence_options){.epsilon = values[CLI_EPSILON].number,
                                         .literal = values[CLI_LITERAL].given,
                                         .policy = r->policy,
                                         .end_accepted = values[CLI_END_ACCEPTED].given,
                                         .least = values[CLI_PMIN].number,
                                         .max_component = (uint32_t)values[CLI_MAX_COMPONENT].count,
                                         .max_work = values[CLI_MAX_WORK].count,
                                         .samples = values[CLI_SAMPLES].count,
                                         .delta = values[CLI_DELTA].number,
                                         .seed = values[CLI_SEED].count,
                                         .threads = (unsigned)values[CLI_THREADS].count,
                                         .max_states = values[CLI_MODEL_STATES].count,
                                         .cancel = r->model.cancel,
                                         .progress = r->model.progress};
    return opac_automaton_kind_parse(values[CLI_KIND].word, &options->kind, error);
}

static opac_status find(recurrence_run *r, opac_error *error)
{
    opac_recurrence_options options;
    size_t count = cli_objectives_count(r->objectives);
    if (count != 1)
        return cli_fail(error, "only one objective is allowed, not %zu", count);
    TRY(make_options(r, &options, error));
    double start = opac_clock_seconds();
    opac_status status =
        opac_recurrence_time(r->model.model, &cli_objectives_get(r->objectives, 0)->objective,
                             &options, &r->recurrence, error);
    error->line = error->column = 0; /* the place is in a proposition, not in the command line */
    r->seconds = opac_clock_seconds() - start;
    return status;
}

static opac_status run(recurrence_run *r, const cli_arguments *arguments, opac_error *error)
{
    TRY(cli_model_begin(&r->model, arguments, error));
    TRY(cli_model_load(&r->model, arguments->operands[0], error));
    TRY(cli_objectives_read(&r->model, &r->objectives, error));
    TRY(cli_model_check_constants(&r->model, error));
    TRY(cli_objectives_check(&r->model, r->objectives, error));
    if (arguments->values[CLI_POLICY].given)
        TRY(cli_policy_load(&r->model, &r->policy, error));
    return find(r, error);
}

static opac_status print(const recurrence_run *r, opac_error *error)
{
    const cli_arguments *arguments = r->model.arguments;
    const opac_recurrence_answer answer = {.model = r->model.model,
                                           .policy = r->policy,
                                           .policy_name = arguments->values[CLI_POLICY].text,
                                           .objective = cli_objectives_get(r->objectives, 0)->text,
                                           .recurrence = &r->recurrence,
                                           .seconds = r->seconds};
    cli_frame frame;
    TRY(cli_frame_open(&frame, arguments, CLI_NO_OPTION, error));
    frame.source.read_seconds = r->model.seconds;
    return cli_frame_print(
        &frame, opac_result_of_recurrence(&answer, &frame.source, &frame.result, error), error);
}

static cli_exit print_and_exit_status(const recurrence_run *r)
{
    opac_error error;
    return print(r, &error) == OPAC_OK ? CLI_EXIT_DONE
                                       : cli_report(r->model.arguments->command, &error);
}

cli_exit cli_run_recurrence(const cli_arguments *arguments)
{
    recurrence_run r = {0};
    opac_error error;
    opac_status status = run(&r, arguments, &error);
    cli_exit exit =
        status == OPAC_OK ? print_and_exit_status(&r) : cli_model_report(&r.model, &error);
    opac_policy_free(r.policy);
    cli_objectives_free(r.objectives);
    cli_model_end(&r.model);
    return exit;
}
