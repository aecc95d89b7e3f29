/* SPDX-License-Identifier: MIT */
/* omegapac env check: whether a simulator keeps its contract. */
#include <inttypes.h>
#include <string.h>

#include <omegapac/conformance.h>

#include "cli/interrupt.h"
#include "cli/lines.h"
#include "cli/result.h"

/* Where findings go as they come: lines, each at once; members of an array, shown at the end. */
typedef struct report {
    const cli_arguments *arguments;
    cli_sink sink;
    opac_json *json; /* NULL: text */
    opac_status status;
    opac_error error;
} report;

/* The findings that somebody wants to see. */
static bool is_wanted(const report *r, const opac_finding *finding)
{
    const cli_value *values = r->arguments->values;
    if (values[CLI_NO_TIMING].given && strcmp(finding->check, "speed") == 0)
        return false;
    return r->json != NULL || !values[CLI_QUIET].given || finding->kind >= OPAC_FINDING_WARNING;
}

static void write_line(const opac_finding *finding, opac_output *out)
{
    opac_output_print(out, "%-8s %-16s %s\n", opac_finding_word(finding->kind), finding->check,
                      finding->text);
    if (finding->line != NULL)
        opac_output_print(out, "%-8s %-16s it wrote: %s\n", "", "", finding->line);
}

static void echo_finding(const opac_finding *finding, opac_json *json)
{
    opac_json_begin_object(json);
    cli_echo_text(json, "kind", opac_finding_word(finding->kind));
    cli_echo_text(json, "check", finding->check);
    cli_echo_text(json, "text", finding->text);
    if (finding->line != NULL)
        cli_echo_text(json, "line", finding->line);
    opac_json_end_object(json);
}

static void hear(void *context, const opac_finding *finding)
{
    report *r = context;
    opac_output *out = NULL;
    if (r->status != OPAC_OK || !is_wanted(r, finding))
        return;
    if (r->json != NULL) {
        echo_finding(finding, r->json);
        return;
    }
    r->status = cli_sink_begin(&r->sink, &out, &r->error);
    if (r->status == OPAC_OK) {
        write_line(finding, out);
        r->status = cli_sink_end(&r->sink, &r->error);
    }
}

static void write_verdict(const opac_conformance *outcome, opac_output *out)
{
    if (outcome->conforms && outcome->warnings == 0)
        opac_output_text(out, "Result: conforms\n");
    else if (outcome->conforms)
        opac_output_print(out, "Result: conforms (%" PRIu32 " warning%s)\n", outcome->warnings,
                          outcome->warnings == 1 ? "" : "s");
    else
        opac_output_print(out, "Result: does not conform (%" PRIu32 " error%s)\n", outcome->errors,
                          outcome->errors == 1 ? "" : "s");
}

static void echo_verdict(const opac_conformance *outcome, bool with_times, opac_json *json)
{
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    opac_json_key(json, "conforms");
    opac_json_bool(json, outcome->conforms);
    cli_echo_number(json, "errors", outcome->errors);
    cli_echo_number(json, "warnings", outcome->warnings);
    opac_json_end_object(json);
    opac_json_key(json, "stats");
    opac_json_begin_object(json);
    cli_echo_number(json, "episodes", outcome->episodes);
    cli_echo_number(json, "steps", outcome->steps);
    cli_echo_number(json, "states", outcome->states);
    if (with_times)
        cli_echo_seconds(json, "simulator_seconds", outcome->seconds);
    opac_json_end_object(json);
}

static opac_status try_it(report *r, opac_conformance *outcome, opac_error *error)
{
    const cli_value *values = r->arguments->values;
    opac_conformance_options options = opac_conformance_defaults();
    opac_cancel *cancel;
    opac_status status = cli_interrupt_begin(r->arguments, &cancel, error);
    if (status != OPAC_OK)
        return status;
    options.timeout = values[CLI_ENV_TIMEOUT].number;
    options.episodes = values[CLI_TRIAL_EPISODES].count;
    options.steps = values[CLI_TRIAL_STEPS].count;
    options.seed = values[CLI_SEED].count;
    options.max_memory = values[CLI_MAX_MEMORY].count << 20;
    options.cancel = cancel;
    status = opac_conformance_check(r->arguments->operands[0], &options, hear, r, outcome, error);
    cli_interrupt_end(cancel);
    if (status == OPAC_OK && r->status != OPAC_OK) {
        *error = r->error;
        status = r->status;
    }
    return status;
}

static opac_status run_text(report *r, opac_conformance *outcome, opac_error *error)
{
    opac_output *out = NULL;
    opac_status status = try_it(r, outcome, error);
    if (status == OPAC_OK)
        status = cli_sink_begin(&r->sink, &out, error);
    if (status == OPAC_OK) {
        write_verdict(outcome, out);
        status = cli_sink_end(&r->sink, error);
    }
    return status;
}

static opac_status run_json(report *r, opac_conformance *outcome, opac_error *error)
{
    opac_json json;
    opac_output *out = NULL;
    opac_status status = cli_sink_begin(&r->sink, &out, error);
    if (status != OPAC_OK)
        return status;
    opac_json_init(&json, out);
    cli_begin_result(&json, r->arguments);
    cli_echo_inputs(r->arguments, &json);
    cli_echo_params(r->arguments, &json);
    opac_json_key(&json, "findings");
    opac_json_begin_array(&json);
    r->json = &json;
    status = try_it(r, outcome, error);
    r->json = NULL;
    if (status != OPAC_OK)
        return status;
    opac_json_end_array(&json);
    echo_verdict(outcome, !r->arguments->values[CLI_NO_TIMING].given, &json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
    return cli_sink_end(&r->sink, error);
}

cli_exit cli_run_env_check(const cli_arguments *arguments)
{
    report r = {.arguments = arguments};
    opac_conformance outcome = {0};
    opac_error error = {0};
    cli_sink_init(&r.sink, arguments->values[CLI_OUTPUT].text);
    opac_status status = arguments->values[CLI_JSON].given ? run_json(&r, &outcome, &error)
                                                           : run_text(&r, &outcome, &error);
    if (status == OPAC_OK)
        status = cli_sink_commit(&r.sink, &error);
    cli_sink_fini(&r.sink);
    if (status != OPAC_OK)
        return cli_report(arguments->command, &error);
    return outcome.conforms ? CLI_EXIT_DONE : CLI_EXIT_SIMULATOR;
}
