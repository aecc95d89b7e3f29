/* SPDX-License-Identifier: MIT */
/* omegapac report: results as a page for people. */
#include <omegapac/report.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/lines.h"
#include "cli/objectives.h"
#include "cli/result.h"
#include "cli/source.h"

typedef struct held {
    opac_output *text;
} held;

/* The files that are read, and the page that they make. */
typedef struct report {
    const cli_arguments *arguments;
    opac_cancel *cancel;
    opac_report_input *inputs;
    held *texts; /* of the inputs */
    size_t count;
    opac_output *page;
} report;

static opac_status check_operands(report *r, size_t *count, opac_error *error)
{
    cli_walk walk = {0};
    bool has_stdin = false;
    opac_status status = OPAC_OK;
    *count = 0;
    for (const char *path;
         status == OPAC_OK && (path = cli_next_operand(r->arguments, 0, &walk)) != NULL; ++*count) {
        bool is_stdin = strcmp(path, "-") == 0;
        if (is_stdin && has_stdin)
            status = cli_fail(error, "standard input (-) is read once");
        has_stdin = has_stdin || is_stdin;
    }
    return status;
}

static opac_status read_inputs(report *r, opac_error *error)
{
    cli_walk walk = {0};
    size_t count;
    opac_status status = check_operands(r, &count, error);
    if (status != OPAC_OK || count == 0) /* there is one, or we would not be here */
        return status;
    r->inputs = calloc(count, sizeof *r->inputs);
    r->texts = calloc(count, sizeof *r->texts);
    if (r->inputs == NULL || r->texts == NULL)
        return cli_fail_memory(error);
    for (const char *path;
         status == OPAC_OK && (path = cli_next_operand(r->arguments, 0, &walk)) != NULL;) {
        opac_report_input *input = &r->inputs[r->count];
        status = cli_read_file(path, r->cancel, &r->texts[r->count].text, error);
        if (status != OPAC_OK)
            break;
        input->name = cli_file_name(path);
        input->text = opac_output_bytes(r->texts[r->count++].text, &input->length);
        if (input->text == NULL)
            status = cli_fail_memory(error);
    }
    return status;
}

static void report_fini(report *r)
{
    for (size_t i = 0; i < r->count; i++)
        opac_output_free(r->texts[i].text);
    free(r->inputs);
    free(r->texts);
    opac_output_free(r->page);
}

static opac_status make_page(report *r, opac_error *error)
{
    opac_report_options options = opac_report_defaults();
    options.title = r->arguments->values[CLI_TITLE].text;
    opac_status status = read_inputs(r, error);
    if (status == OPAC_OK)
        status = opac_output_open_memory(&r->page, error);
    if (status == OPAC_OK)
        status = opac_report_write(r->inputs, r->count, &options, r->page, error);
    return status == OPAC_OK ? opac_output_commit(r->page, error) : status;
}

static void write_page(const void *result, const cli_arguments *arguments, opac_output *out)
{
    const report *r = result;
    size_t length = 0;
    const char *bytes = opac_output_bytes(r->page, &length);
    (void)arguments;
    opac_output_write(out, bytes, length);
}

/* Where it is, since a page says nothing on a terminal. */
static void tell(const cli_arguments *arguments)
{
    const char *path = arguments->values[CLI_OUTPUT].text;
    if (path != NULL && strcmp(path, "-") != 0 && !arguments->values[CLI_QUIET].given)
        fprintf(stderr, "omegapac report: the page is in %s\n", cli_quote(path).text);
}

cli_exit cli_run_report(const cli_arguments *arguments)
{
    report r = {.arguments = arguments};
    opac_error error;
    opac_status status = cli_interrupt_begin(arguments, &r.cancel, &error);
    if (status == OPAC_OK)
        status = make_page(&r, &error);
    cli_interrupt_end(r.cancel);
    cli_exit exit = status == OPAC_OK ? cli_write_result(arguments, &r, write_page, write_page)
                                      : cli_report(arguments->command, &error);
    if (exit == CLI_EXIT_DONE)
        tell(arguments);
    report_fini(&r);
    return exit;
}
