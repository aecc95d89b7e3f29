/* SPDX-License-Identifier: MIT */
/* Makes results of the library from a command line, and prints them. */
#include "cli/result.h"

static opac_status write_params(cli_frame *frame, const cli_arguments *arguments,
                                cli_option_id except, opac_error *error)
{
    opac_json json;
    size_t length;
    TRY(opac_output_open_memory(&frame->params, error));
    opac_json_init(&json, frame->params);
    cli_write_params(arguments, except, &json);
    frame->source.params = opac_output_bytes(frame->params, &length);
    return frame->source.params != NULL ? OPAC_OK : opac_output_commit(frame->params, error);
}

opac_status cli_frame_open(cli_frame *frame, const cli_arguments *arguments, cli_option_id except,
                           opac_error *error)
{
    *frame = (cli_frame){.arguments = arguments,
                         .source = {.model = arguments->operands[0],
                                    .arguments = (const char *const *)arguments->words,
                                    .argument_count = (size_t)arguments->count,
                                    .has_times = !arguments->values[CLI_NO_TIMING].given,
                                    .is_brief = !arguments->values[CLI_JSON].given}};
    opac_status status = write_params(frame, arguments, except, error);
    if (status != OPAC_OK)
        cli_frame_close(frame);
    return status;
}

void cli_frame_close(cli_frame *frame)
{
    opac_result_free(frame->result);
    opac_output_free(frame->params);
    *frame = (cli_frame){0};
}

void cli_put_json(const opac_result *result, opac_output *out)
{
    opac_output_text(out, opac_result_json(result, NULL));
    opac_output_text(out, "\n");
}

opac_status cli_put_result(const cli_arguments *arguments, const opac_result *result,
                           opac_output *out, opac_error *error)
{
    if (!arguments->values[CLI_JSON].given)
        return opac_result_write_text(result, out, error);
    cli_put_json(result, out);
    return OPAC_OK;
}

/* Prints the result, as text or JSON, to standard output or -o FILE, whole or not at all. */
static opac_status print_result(const cli_arguments *arguments, const opac_result *result,
                                opac_error *error)
{
    opac_output *out = NULL;
    size_t length;
    opac_status status;
    TRY_OR(done, opac_output_open_memory(&out, error));
    TRY_OR(done, cli_put_result(arguments, result, out, error));
    const char *bytes = opac_output_bytes(out, &length);
    status = bytes != NULL
                 ? cli_write_output(arguments->values[CLI_OUTPUT].text, bytes, length, error)
                 : opac_output_commit(out, error);
done:
    opac_output_free(out);
    return status;
}

opac_status cli_frame_print(cli_frame *frame, opac_status made, opac_error *error)
{
    opac_status status =
        made == OPAC_OK ? print_result(frame->arguments, frame->result, error) : made;
    cli_frame_close(frame);
    return status;
}

opac_status cli_frame_put(cli_frame *frame, opac_status made, opac_output *out, opac_error *error)
{
    opac_status status =
        made == OPAC_OK ? cli_put_result(frame->arguments, frame->result, out, error) : made;
    cli_frame_close(frame);
    return status;
}
