/* SPDX-License-Identifier: MIT */
/* omegapac verify: whether a certificate of learn shows what it claims. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/environment.h>
#include <omegapac/number.h>
#include <omegapac/verification.h>

#include "cli/lines.h"
#include "cli/result.h"
#include "cli/source.h"

static void write_interval(const opac_verification *found, opac_output *out)
{
    char lower[OPAC_NUMBER_SIZE], upper[OPAC_NUMBER_SIZE];
    opac_number_format(found->lower, lower);
    opac_number_format(found->upper, upper);
    opac_output_print(out, "[%s, %s]", lower, upper);
}

static void write_looked_at(const opac_verification *found, opac_output *out)
{
    cli_write_key(out, "looked at");
    cli_write_count(out, found->states, "state");
    opac_output_text(out, ", ");
    cli_write_count(out, found->pairs, "row");
    opac_output_print(out, " (%" PRIu64 " complete), ", found->complete);
    cli_write_count(out, found->visits, "sample");
    opac_output_text(out, "\n");
    cli_write_key(out, "");
    cli_write_count(out, found->nodes, "node");
    opac_output_print(out, " of the product (%" PRIu64 " winning)\n", found->winning);
}

/* Which system it is about, and whether that was looked at. */
static void write_model(const opac_verification *found, const cli_arguments *arguments,
                        opac_output *out)
{
    const char *given = arguments->operands[1];
    if (given == NULL && found->model == NULL)
        return;
    cli_write_key(out, "model");
    cli_write_path(out, given != NULL ? given : found->model);
    if (found->constants != NULL) {
        opac_output_text(out, ", ");
        cli_write_shown(out, found->constants);
    }
    opac_output_text(out, given != NULL ? "\n" : " (not compared: no MODEL is given)\n");
    if (given != NULL) {
        cli_write_key(out, "");
        opac_output_text(out, "is the file that the certificate names, by its digest\n");
    }
}

static void write_text(const void *result, const cli_arguments *arguments, opac_output *out)
{
    const opac_verification *found = result;
    if (!found->holds) {
        opac_output_text(out, "Result: refused\n\n");
        cli_write_wrapped(out, "reason", found->reason);
        return;
    }
    opac_output_text(out, "Result: holds ");
    write_interval(found, out);
    opac_output_text(out, "\n\n");
    cli_write_wrapped(out, "shown", found->statement);
    for (size_t i = 0; found->assumes[i] != NULL; i++)
        cli_write_wrapped(out, i == 0 ? "if" : "", found->assumes[i]);
    if (found->objective != NULL) {
        cli_write_key(out, "objective");
        cli_write_shown(out, found->objective);
        opac_output_text(out, "\n");
    }
    write_model(found, arguments, out);
    write_looked_at(found, out);
}

/* As the certificate calls it; null: it does not. */
static void echo_named(opac_json *json, const char *key, const char *name)
{
    if (name != NULL)
        cli_echo_text(json, key, name);
    else {
        opac_json_key(json, key);
        opac_json_null(json);
    }
}

static void echo_verdict(const opac_verification *found, opac_json *json)
{
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    opac_json_key(json, "holds");
    opac_json_bool(json, found->holds);
    cli_echo_text(json, found->holds ? "statement" : "reason",
                  found->holds ? found->statement : found->reason);
    if (found->holds) {
        cli_echo_double(json, "lower", found->lower);
        cli_echo_double(json, "upper", found->upper);
        cli_echo_double(json, "confidence", found->confidence);
        opac_json_key(json, "least");
        opac_json_bool(json, found->is_least);
        opac_json_key(json, "assumes");
        opac_json_begin_array(json);
        for (size_t i = 0; found->assumes[i] != NULL; i++)
            opac_json_string(json, found->assumes[i]);
        opac_json_end_array(json);
        echo_named(json, "objective", found->objective);
        echo_named(json, "model", found->model);
        echo_named(json, "constants", found->constants);
    }
    opac_json_end_object(json);
}

static void write_json(const void *result, const cli_arguments *arguments, opac_output *out)
{
    const opac_verification *found = result;
    opac_json json;
    opac_json_init(&json, out);
    cli_begin_result(&json, arguments);
    cli_echo_inputs(arguments, &json);
    cli_echo_params(arguments, &json);
    echo_verdict(found, &json);
    opac_json_key(&json, "stats");
    opac_json_begin_object(&json);
    if (found->holds) {
        cli_echo_number(&json, "states", found->states);
        cli_echo_number(&json, "rows", found->pairs);
        cli_echo_number(&json, "complete", found->complete);
        cli_echo_number(&json, "samples", found->visits);
        cli_echo_number(&json, "nodes", found->nodes);
        cli_echo_number(&json, "winning", found->winning);
    }
    opac_json_end_object(&json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}

/* From standard input. */
static opac_status verify_input(const char *model, opac_verification *found, opac_error *error)
{
    char digest[OPAC_DIGEST_SIZE];
    opac_output *text = NULL;
    size_t length;
    opac_status status = model != NULL ? opac_digest_file(model, digest, error) : OPAC_OK;
    if (status == OPAC_OK)
        status = cli_read_file("-", NULL, &text, error);
    if (status != OPAC_OK)
        return status;
    const char *bytes = opac_output_bytes(text, &length);
    status = opac_verify_text(bytes, length, model != NULL ? digest : NULL, found, error);
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
        return cli_fail(error, "MODEL must be a file: its digest is compared");
    if (model != NULL && opac_environment_is_simulator(model))
        return cli_fail(
            error,
            "%s is a simulator, which has no digest to compare: a certificate of one is "
            "checked without MODEL",
            cli_quote(model).text);
    opac_status status = strcmp(path, "-") == 0 ? verify_input(model, found, error)
                                                : opac_verify_file(path, model, found, error);
    if (status == OPAC_ERROR_ARGUMENT || status == OPAC_ERROR_UNSUPPORTED)
        name_file(path, error);
    return status;
}

cli_exit cli_run_verify(const cli_arguments *arguments)
{
    opac_verification found;
    opac_error error;
    const cli_source source = {
        .arguments = arguments, .name = cli_file_name(arguments->operands[0]), .first_line = 1};
    opac_status status = verify(arguments, &found, &error);
    if (status != OPAC_OK)
        return cli_report_at(&source, &error);
    cli_exit exit = cli_write_result(arguments, &found, write_text, write_json);
    if (exit == CLI_EXIT_DONE && !found.holds)
        exit = CLI_EXIT_UNGUARANTEED;
    opac_verification_fini(&found);
    return exit;
}
