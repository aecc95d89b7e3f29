/* SPDX-License-Identifier: MIT */
/* omegapac env check: checks that a simulator conforms. */
#include <stdio.h>
#include <string.h>

#include <omegapac/conformance.h>

#include "cli/interrupt.h"
#include "cli/result.h"
#include "cli/simulators.h"

enum {
    LONGEST_TEXT = 4096 /* of a finding with its advice */
};

/* Prints each finding at once as a line, or collects them in an array for JSON. */
typedef struct report {
    const cli_arguments *arguments;
    cli_sink sink;
    opac_output *findings; /* JSON array; empty without --json */
    opac_json json;        /* writes the array */
    opac_status status;
    opac_error error;
} report;

static bool is_json(const report *r)
{
    return r->arguments->values[CLI_JSON].given;
}

/* Whether a finding is printed, by --quiet and --no-timing. */
static bool is_shown(const report *r, const opac_finding *finding)
{
    const cli_value *values = r->arguments->values;
    if (values[CLI_NO_TIMING].given && strcmp(finding->check, "speed") == 0)
        return false;
    return is_json(r) || !values[CLI_QUIET].given || finding->kind >= OPAC_FINDING_WARNING;
}

/* Advice with the options that a finding is about. */
static const char *advice(const opac_finding *finding)
{
    static const struct {
        const char *parameter, *text;
    } table[] = {
        {"episodes steps", "; increase --episodes or --steps to test more"},
        {"timeout", CLI_ADVICE_TIMEOUT},
        {"deterministic", "; learn and estimate require --deterministic"},
        {"trial_steps", " (--trial-steps N)"},
    };
    for (size_t i = 0; finding->parameter != NULL && i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].parameter, finding->parameter) == 0)
            return table[i].text;
    return "";
}

static void on_finding(void *context, const opac_finding *finding)
{
    report *r = context;
    char text[LONGEST_TEXT];
    opac_finding advised = *finding;
    opac_output *out = NULL;
    if (r->status != OPAC_OK || !is_shown(r, finding))
        return;
    snprintf(text, sizeof text, "%s%s", finding->text, advice(finding));
    advised.text = text;
    if (is_json(r)) {
        opac_finding_write_json(&advised, &r->json);
        return;
    }
    r->status = cli_sink_begin(&r->sink, &out, &r->error);
    if (r->status == OPAC_OK) {
        opac_finding_write(&advised, out);
        r->status = cli_sink_end(&r->sink, &r->error);
    }
}

static opac_status run_checks(report *r, opac_conformance *outcome, opac_error *error)
{
    const cli_value *values = r->arguments->values;
    opac_conformance_options options = opac_conformance_defaults();
    opac_cancel *cancel;
    TRY(cli_simulator_check_path(r->arguments, r->arguments->operands[0], error));
    TRY(cli_interrupt_begin(r->arguments, &cancel, error));
    options.timeout = values[CLI_ENV_TIMEOUT].number;
    options.episodes = values[CLI_TRIAL_EPISODES].count;
    options.steps = values[CLI_TRIAL_STEPS].count;
    options.seed = values[CLI_SEED].count;
    options.max_memory = values[CLI_MAX_MEMORY].count << 20;
    options.cancel = cancel;
    opac_status status =
        opac_conformance_check(r->arguments->operands[0], &options, on_finding, r, outcome, error);
    cli_interrupt_end(cancel);
    if (status == OPAC_OK && r->status != OPAC_OK) {
        *error = r->error;
        status = r->status;
    }
    return status;
}

/* Prints the verdict, and with --json the findings. */
static opac_status print_verdict(report *r, const opac_conformance *outcome, opac_error *error)
{
    cli_frame frame;
    opac_output *out;
    size_t length;
    const char *findings = opac_output_bytes(r->findings, &length);
    if (findings == NULL)
        return opac_output_commit(r->findings, error);
    TRY(cli_sink_begin(&r->sink, &out, error));
    TRY(cli_frame_open(&frame, r->arguments, CLI_NO_OPTION, error));
    opac_status made =
        opac_result_of_env_check(outcome, findings, &frame.source, &frame.result, error);
    TRY(cli_frame_put(&frame, made, out, error));
    TRY(cli_sink_end(&r->sink, error));
    return cli_sink_commit(&r->sink, error);
}

static opac_status run(report *r, opac_conformance *outcome, opac_error *error)
{
    TRY(opac_output_open_memory(&r->findings, error));
    opac_json_init(&r->json, r->findings);
    opac_json_begin_array(&r->json);
    TRY(run_checks(r, outcome, error));
    opac_json_end_array(&r->json);
    return print_verdict(r, outcome, error);
}

cli_exit cli_run_env_check(const cli_arguments *arguments)
{
    report r = {.arguments = arguments};
    opac_conformance outcome = {0};
    opac_error error = {0};
    cli_sink_init(&r.sink, arguments->values[CLI_OUTPUT].text);
    opac_status status = run(&r, &outcome, &error);
    opac_output_free(r.findings);
    cli_sink_fini(&r.sink);
    if (status != OPAC_OK)
        return cli_report(arguments->command, &error);
    return outcome.conforms ? CLI_EXIT_DONE : CLI_EXIT_SIMULATOR;
}
