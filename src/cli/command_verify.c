/* SPDX-License-Identifier: MIT */
/* omegapac verify: checks a certificate written by learn. */
#include <stdio.h>
#include <string.h>

#include <omegapac/environment.h>

#include "cli/result.h"
#include "cli/source.h"

/* Verifies standard input. */
static opac_status verify_input(const char *model, opac_verification *found, opac_error *error)
{
    char digest[OPAC_DIGEST_SIZE];
    opac_output *text = NULL;
    size_t length;
    if (model != NULL)
        TRY(opac_digest_file(model, digest, error));
    TRY(cli_read_file("-", NULL, &text, error));
    const char *bytes = opac_output_bytes(text, &length);
    opac_status status =
        opac_verify_text(bytes, length, model != NULL ? digest : NULL, found, error);
    opac_output_free(text);
    return status;
}

static void name_file(const char *path, opac_error *error)
{
    char before[96];
    snprintf(before, sizeof before, "%s: ", cli_quote(path).text);
    cli_prepend(error, before);
}

static opac_status verify(const cli_arguments *arguments, opac_verification *found,
                          opac_error *error)
{
    const char *path = arguments->operands[0], *model = arguments->operands[1];
    if (model != NULL && strcmp(model, "-") == 0)
        return cli_fail(error, "MODEL must be a file, because its digest is compared");
    if (model != NULL && opac_environment_is_simulator(model))
        return cli_fail(error,
                        "%s is a simulator, which has no digest; omit MODEL to check the "
                        "certificate of a simulator",
                        cli_quote(model).text);
    opac_status status = strcmp(path, "-") == 0 ? verify_input(model, found, error)
                                                : opac_verify_file(path, model, found, error);
    if (status == OPAC_ERROR_ARGUMENT || status == OPAC_ERROR_UNSUPPORTED)
        name_file(path, error);
    return status;
}

static opac_status print(const cli_arguments *arguments, const opac_verification *found,
                         opac_error *error)
{
    cli_frame frame;
    TRY(cli_frame_open(&frame, arguments, CLI_NO_OPTION, error));
    frame.source.model = arguments->operands[1];
    return cli_frame_print(
        &frame,
        opac_result_of_verify(found, arguments->operands[0], &frame.source, &frame.result, error),
        error);
}

static cli_exit print_and_exit_status(const cli_arguments *arguments,
                                      const opac_verification *found)
{
    opac_error error;
    if (print(arguments, found, &error) != OPAC_OK)
        return cli_report(arguments->command, &error);
    return found->holds ? CLI_EXIT_DONE : CLI_EXIT_UNGUARANTEED;
}

cli_exit cli_run_verify(const cli_arguments *arguments)
{
    opac_verification found = {0};
    opac_error error;
    const cli_source source = {
        .arguments = arguments, .name = cli_file_name(arguments->operands[0]), .first_line = 1};
    if (verify(arguments, &found, &error) != OPAC_OK)
        return cli_report_at(&source, &error);
    cli_exit exit = print_and_exit_status(arguments, &found);
    opac_verification_fini(&found);
    return exit;
}
