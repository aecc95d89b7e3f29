/* SPDX-License-Identifier: MIT */
/* omegapac evaluate: the probability of an objective under a given policy. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/evaluation.h>
#include <omegapac/quantity.h>

#include "cli/automata.h"
#include "cli/intervals.h"
#include "cli/lines.h"
#include "cli/objectives.h"
#include "cli/policies.h"
#include "cli/result.h"
#include "cli/source.h"

typedef struct evaluating {
    cli_model model;
    opac_policy *policy;
    cli_objectives *objectives; /* one, or none: what the policy was made for */
    opac_evaluation *evaluation;
    double seconds;
} evaluating;

/* As the user or the policy's file says it. */
static const char *objective_text(const evaluating *e)
{
    return cli_objectives_count(e->objectives) > 0 ? cli_objectives_get(e->objectives, 0)->text
                                                   : opac_policy_objective(e->policy);
}

/* ---- text ---- */

static void write_interval(const evaluating *e, uint32_t index, opac_output *out)
{
    cli_interval_write(opac_evaluation_interval(e->evaluation, index),
                       opac_evaluation_fraction(e->evaluation, index), out);
    if (opac_evaluation_is_bound(e->evaluation))
        opac_output_print(out, " (%s bound: the policy's own run through its automaton)",
                          opac_evaluation_is_upper(e->evaluation) ? "an upper" : "a lower");
    opac_output_text(out, "\n");
}

static void write_initial(const evaluating *e, opac_output *out)
{
    const opac_model *model = e->model.model;
    uint32_t count = opac_model_initial_count(model);
    for (uint32_t i = 0; i < count && count > 1; i++) {
        cli_write_key(out, "from");
        opac_model_write_state(model, opac_model_initial(model, i), out);
        opac_output_text(out, ": ");
        write_interval(e, i, out);
    }
}

static void write_sizes(const evaluating *e, opac_output *out)
{
    cli_write_policy(out, e->policy);
    cli_write_model(out, e->model.model);
    cli_write_key(out, "chain");
    cli_write_count(out, opac_evaluation_states(e->evaluation), "state");
    opac_output_text(out, ", ");
    cli_write_count(out, opac_evaluation_bottoms(e->evaluation), "bottom component");
    opac_output_text(out, "\n");
}

static void write_text(const void *result, const cli_arguments *arguments, opac_output *out)
{
    const evaluating *e = result;
    char duration[OPAC_QUANTITY_SIZE];
    opac_output_text(out, "Result: ");
    write_interval(e, 0, out);
    cli_interval_write_decimal(opac_evaluation_interval(e->evaluation, 0),
                               opac_evaluation_fraction(e->evaluation, 0), out);
    write_initial(e, out);
    if (!opac_evaluation_is_precise(e->evaluation))
        cli_interval_write_wide(out);
    opac_output_text(out, "\n");
    cli_write_key(out, "objective");
    cli_write_shown(out, objective_text(e));
    opac_output_text(out, "\n");
    write_sizes(e, out);
    if (!arguments->values[CLI_NO_TIMING].given) {
        cli_write_key(out, "evaluated in");
        opac_output_print(out, "%s\n", opac_duration_format(e->seconds, duration, sizeof duration));
    }
}

/* ---- JSON ---- */

static void echo_interval(const evaluating *e, uint32_t index, opac_json *json)
{
    cli_interval_echo(opac_evaluation_interval(e->evaluation, index),
                      opac_evaluation_fraction(e->evaluation, index), json);
}

static void echo_inputs(const evaluating *e, opac_json *json)
{
    const cli_arguments *arguments = e->model.arguments;
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    opac_json_key(json, "model");
    opac_json_string(json, arguments->operands[0]);
    opac_json_key(json, "policy");
    opac_json_string(json, arguments->values[CLI_POLICY].text);
    opac_json_key(json, "objective");
    opac_json_string(json, objective_text(e));
    cli_echo_number(json, "states", opac_model_states(e->model.model));
    cli_echo_number(json, "decisions", opac_policy_decisions(e->policy));
    cli_echo_number(json, "memory", opac_policy_memory(e->policy));
    opac_json_end_object(json);
}

static void echo_initial(const evaluating *e, opac_json *json)
{
    const opac_model *model = e->model.model;
    opac_json_key(json, "initial");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < opac_model_initial_count(model); i++) {
        opac_json_begin_object(json);
        cli_echo_state(json, model, opac_model_initial(model, i));
        echo_interval(e, i, json);
        opac_json_end_object(json);
    }
    opac_json_end_array(json);
}

static void echo_result(const evaluating *e, opac_json *json)
{
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    echo_interval(e, 0, json);
    opac_json_key(json, "precise");
    opac_json_bool(json, opac_evaluation_is_precise(e->evaluation));
    if (opac_evaluation_is_bound(e->evaluation)) {
        opac_json_key(json, "is_bound");
        opac_json_bool(json, true);
        opac_json_key(json, "bound");
        opac_json_string(json, opac_evaluation_is_upper(e->evaluation) ? "upper" : "lower");
    }
    if (opac_model_initial_count(e->model.model) > 1)
        echo_initial(e, json);
    opac_json_end_object(json);
}

static void write_json(const void *result, const cli_arguments *arguments, opac_output *out)
{
    const evaluating *e = result;
    opac_json json;
    opac_json_init(&json, out);
    cli_begin_result(&json, arguments);
    echo_inputs(e, &json);
    cli_echo_params(arguments, &json);
    echo_result(e, &json);
    opac_json_key(&json, "stats");
    opac_json_begin_object(&json);
    cli_echo_number(&json, "chain_states", opac_evaluation_states(e->evaluation));
    cli_echo_number(&json, "bottom_components", opac_evaluation_bottoms(e->evaluation));
    if (!arguments->values[CLI_NO_TIMING].given) {
        cli_echo_seconds(&json, "read_seconds", e->model.seconds);
        cli_echo_seconds(&json, "seconds", e->seconds);
    }
    opac_json_end_object(&json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}

/* ---- the command ---- */

/* A place in a proposition says little; but the file, whose formula it is, does. */
static void name_culprit(const evaluating *e, opac_error *error)
{
    char before[sizeof(cli_piece) + 4];
    error->line = error->column = 0;
    if (cli_objectives_count(e->objectives) > 0 || error->code != OPAC_ERROR_ARGUMENT)
        return;
    snprintf(before, sizeof before, "%s: ",
             cli_show_path(cli_file_name(e->model.arguments->values[CLI_POLICY].text)).text);
    cli_prepend(error, before);
}

static opac_status evaluate(evaluating *e, opac_error *error)
{
    const cli_value *values = e->model.arguments->values;
    const opac_objective *objective = NULL;
    double start = cli_milliseconds();
    opac_evaluation_options options = {.exact = values[CLI_EXACT].given,
                                       .max_states = values[CLI_MODEL_STATES].count,
                                       .cancel = e->model.cancel,
                                       .progress = e->model.progress};
    size_t count = cli_objectives_count(e->objectives);
    if (count > 1)
        return cli_fail(error, "a policy is evaluated for one objective at a time, not for %zu",
                        count);
    if (count == 1)
        objective = &cli_objectives_get(e->objectives, 0)->objective;
    opac_status status = opac_evaluate(e->policy, objective, &options, &e->evaluation, error);
    if (status != OPAC_OK)
        name_culprit(e, error);
    e->seconds = (cli_milliseconds() - start) * 1e-3;
    return status;
}

static opac_status run(evaluating *e, opac_error *error)
{
    opac_status status = cli_model_load(&e->model, e->model.arguments->operands[0], error);
    if (status == OPAC_OK)
        status = cli_objectives_read(&e->model, &e->objectives, error);
    if (status == OPAC_OK)
        status = cli_model_check_constants(&e->model, error);
    if (status == OPAC_OK)
        status = cli_objectives_check(&e->model, e->objectives, error);
    if (status == OPAC_OK)
        status = cli_policy_load(&e->model, &e->policy, error);
    return status == OPAC_OK ? evaluate(e, error) : status;
}

cli_exit cli_run_evaluate(const cli_arguments *arguments)
{
    evaluating e = {0};
    opac_error error;
    opac_status status = cli_model_begin(&e.model, arguments, &error);
    if (status == OPAC_OK)
        status = run(&e, &error);
    cli_exit exit = status == OPAC_OK ? cli_write_result(arguments, &e, write_text, write_json)
                                      : cli_model_report(&e.model, &error);
    if (exit == CLI_EXIT_DONE && !opac_evaluation_is_precise(e.evaluation))
        exit = CLI_EXIT_UNGUARANTEED;
    opac_evaluation_free(e.evaluation);
    opac_policy_free(e.policy);
    cli_objectives_free(e.objectives);
    cli_model_end(&e.model);
    return exit;
}
