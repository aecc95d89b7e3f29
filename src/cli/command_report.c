/* SPDX-License-Identifier: MIT */
/* omegapac report: makes an HTML page from results. */
#include <omegapac/report.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/objectives.h"
#include "cli/result.h"
#include "cli/source.h"

/* The input files and the page. */
typedef struct report {
    const cli_arguments *arguments;
    opac_cancel *cancel;
    opac_report_input *inputs;
    opac_output **texts; /* of the inputs */
    size_t count;
    opac_output *page;
} report;

static opac_status count_operands(const report *r, size_t *count, opac_error *error)
{
    cli_walk walk = {0};
    size_t streams = 0;
    *count = 0;
    for (const char *path; (path = cli_next_operand(r->arguments, 0, &walk)) != NULL; ++*count)
        streams += strcmp(path, "-") == 0;
    return streams > 1
               ? cli_fail(error,
                          "- is given more than once, but standard input can be read only once")
               : OPAC_OK;
}

static opac_status read_inputs(report *r, opac_error *error)
{
    cli_walk walk = {0};
    size_t count;
    TRY(count_operands(r, &count, error));
    r->inputs = calloc(count + 1, sizeof *r->inputs);
    r->texts = calloc(count + 1, sizeof(opac_output *));
    if (r->inputs == NULL || r->texts == NULL)
        return cli_fail_memory(error);
    for (const char *path; (path = cli_next_operand(r->arguments, 0, &walk)) != NULL;) {
        opac_report_input *input = &r->inputs[r->count];
        TRY(cli_read_file(path, r->cancel, &r->texts[r->count], error));
        input->name = cli_file_name(path);
        input->text = opac_output_bytes(r->texts[r->count++], &input->length);
        if (input->text == NULL)
            return cli_fail_memory(error);
    }
    return OPAC_OK;
}

static void report_fini(report *r)
{
    for (size_t i = 0; i < r->count; i++)
        opac_output_free(r->texts[i]);
    free(r->inputs);
    free(r->texts);
    opac_output_free(r->page);
}

static opac_status make_page(report *r, opac_error *error)
{
    opac_report_options options = opac_report_defaults();
    options.title = r->arguments->values[CLI_TITLE].text;
    TRY(read_inputs(r, error));
    TRY(opac_output_open_memory(&r->page, error));
    TRY(opac_report_write(r->inputs, r->count, &options, r->page, error));
    return opac_output_commit(r->page, error);
}

static opac_status write_page(report *r, opac_error *error)
{
    size_t length = 0;
    const char *bytes;
    TRY(cli_interrupt_begin(r->arguments, &r->cancel, error));
    opac_status status = make_page(r, error);
    cli_interrupt_end(r->cancel);
    TRY(status);
    bytes = opac_output_bytes(r->page, &length);
    return cli_write_output(r->arguments->values[CLI_OUTPUT].text, bytes, length, error);
}

/* Prints the path of the page, because there is no other output. */
static void print_path(const cli_arguments *arguments)
{
    const char *path = arguments->values[CLI_OUTPUT].text;
    if (path != NULL && strcmp(path, "-") != 0 && !arguments->values[CLI_QUIET].given)
        fprintf(stderr, "omegapac report: wrote %s\n", cli_quote(path).text);
}

cli_exit cli_run_report(const cli_arguments *arguments)
{
    report r = {.arguments = arguments};
    opac_error error;
    opac_status status = write_page(&r, &error);
    report_fini(&r);
    if (status != OPAC_OK)
        return cli_report(arguments->command, &error);
    print_path(arguments);
    return CLI_EXIT_DONE;
}
