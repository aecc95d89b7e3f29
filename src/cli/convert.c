/* SPDX-License-Identifier: MIT */
/*
 * omegapac convert: automata from one kind, condition and format to another.
 * The formats follow from the suffixes. The first error ends the run, and then
 * a file OUT is left as it was: it may be IN.
 */
#include <stdio.h>
#include <string.h>

#include <omegapac/automaton.h>

#include "cli/automata.h"
#include "cli/interrupt.h"
#include "cli/result.h"
#include "cli/source.h"

enum {
    IN,
    OUT
};

typedef enum format {
    FORMAT_HOA,
    FORMAT_DOT,
    FORMAT_NONE /* a suffix that says nothing */
} format;

typedef struct conversion {
    const cli_arguments *arguments;
    opac_automaton_options options;
    format to;
    cli_source source;
    cli_sink sink;      /* OUT */
    cli_sink json_sink; /* with --json: standard output */
    uint64_t number;    /* of the automaton at hand, from 1 */
} conversion;

/* ---- formats ---- */

static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash != NULL ? slash : path, '.');
    return dot != NULL ? dot : "";
}

static format format_of(const char *path)
{
    const char *suffix = suffix_of(path);
    if (strcmp(suffix, ".hoa") == 0)
        return FORMAT_HOA;
    return strcmp(suffix, ".dot") == 0 || strcmp(suffix, ".gv") == 0 ? FORMAT_DOT : FORMAT_NONE;
}

/* A name without a suffix says nothing (a pipe, a device): it is read as HOA, the only input. */
static opac_status check_input(const char *path, opac_error *error)
{
    if (strcmp(path, "-") == 0 || *suffix_of(path) == '\0' || format_of(path) == FORMAT_HOA)
        return OPAC_OK;
    cli_fail(error, "IN %s: unsupported format; what can be read is .hoa, or HOA from -",
             cli_quote(path).text);
    return error->code = OPAC_ERROR_UNSUPPORTED;
}

static opac_status find_output(const cli_arguments *arguments, format *to, opac_error *error)
{
    const char *path = arguments->operands[OUT];
    const cli_value *chosen = &arguments->values[CLI_TO];
    *to = strcmp(path, "-") == 0 ? FORMAT_HOA : format_of(path);
    if (chosen->given)
        *to = strcmp(chosen->word, "dot") == 0 ? FORMAT_DOT : FORMAT_HOA;
    if (*to != FORMAT_NONE)
        return OPAC_OK;
    cli_fail(error,
             "OUT %s: unsupported format; what can be written is .hoa, .dot and .gv, or any "
             "other name with --to hoa or --to dot",
             cli_quote(path).text);
    return error->code = OPAC_ERROR_UNSUPPORTED;
}

/* ---- one automaton ---- */

static opac_status write_json(conversion *c, const opac_automaton *automaton, double milliseconds,
                              opac_error *error)
{
    opac_output *out;
    opac_json json;
    opac_status status = cli_sink_begin(&c->json_sink, &out, error);
    if (status != OPAC_OK)
        return status;
    opac_json_init(&json, out);
    cli_begin_result(&json, c->arguments);
    cli_echo_inputs(c->arguments, &json);
    cli_echo_params(c->arguments, &json);
    status = cli_automaton_echo(automaton, c->arguments, milliseconds, &json, error);
    if (status != OPAC_OK)
        return status;
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
    return cli_sink_end(&c->json_sink, error);
}

static opac_status write_automaton(conversion *c, const opac_automaton *automaton,
                                   opac_error *error)
{
    opac_output *out;
    opac_status status = cli_sink_begin(&c->sink, &out, error);
    if (status != OPAC_OK)
        return status;
    if (c->to == FORMAT_DOT)
        opac_automaton_write_dot(automaton, out);
    else
        opac_automaton_write_hoa(automaton, out);
    return cli_sink_end(&c->sink, error);
}

/* JSON goes to standard output, and replaces there what else would go there. */
static opac_status write_both(conversion *c, const opac_automaton *automaton, double milliseconds,
                              opac_error *error)
{
    bool json = c->arguments->values[CLI_JSON].given;
    opac_status status = OPAC_OK;
    if (c->sink.path != NULL || !json)
        status = write_automaton(c, automaton, error);
    if (status == OPAC_OK && json)
        status = write_json(c, automaton, milliseconds, error);
    return status;
}

/* Which one of several it is about: the library knows neither file nor number. */
static void add_place(const conversion *c, opac_error *error)
{
    char place[96];
    snprintf(place, sizeof place, "%s: automaton %llu: ", cli_show(c->source.name).text,
             (unsigned long long)c->number);
    cli_prepend(error, place);
}

static opac_status convert_one(conversion *c, const opac_automaton *given, opac_error *error)
{
    opac_automaton *automaton = NULL;
    double start = cli_milliseconds();
    opac_status status = opac_automaton_convert(given, &c->options, &automaton, error);
    if (status == OPAC_OK)
        status = write_both(c, automaton, cli_milliseconds() - start, error);
    else if (status != OPAC_ERROR_CANCELLED) {
        cli_automaton_advise(c->arguments, opac_automaton_is_deterministic(given), error);
        add_place(c, error);
    }
    opac_automaton_free(automaton);
    return status;
}

/* ---- the stream ---- */

static opac_status convert_stream(conversion *c, opac_error *error)
{
    opac_hoa_reader *reader = NULL;
    opac_status status = opac_hoa_reader_new(c->source.text, c->source.length, cli_notice,
                                             &c->source, &reader, error);
    while (status == OPAC_OK) {
        opac_automaton *given = NULL;
        status = opac_hoa_reader_next(reader, &given, error);
        if (status != OPAC_OK || given == NULL)
            break;
        c->number++;
        status = convert_one(c, given, error);
        opac_automaton_free(given);
    }
    opac_hoa_reader_free(reader);
    if (status == OPAC_OK && c->number == 0)
        cli_notice(&c->source, 0, 0, "there is no automaton to convert");
    return status == OPAC_OK ? cli_sink_commit(&c->sink, error) : status;
}

static opac_status prepare(conversion *c, opac_cancel **cancel, opac_error *error)
{
    const cli_arguments *arguments = c->arguments;
    opac_status status = check_input(arguments->operands[IN], error);
    if (status == OPAC_OK)
        status = find_output(arguments, &c->to, error);
    if (status == OPAC_OK)
        status = cli_interrupt_begin(cancel, error);
    if (status == OPAC_OK)
        status = cli_automaton_options(arguments, *cancel, &c->options, error);
    return status;
}

cli_exit cli_run_convert(const cli_arguments *arguments)
{
    conversion c = {.arguments = arguments,
                    .source = {.arguments = arguments,
                               .name = cli_file_name(arguments->operands[IN]),
                               .first_line = 1}};
    opac_cancel *cancel = NULL;
    opac_output *text = NULL;
    opac_error error;
    cli_sink_init(&c.sink, arguments->operands[OUT]);
    cli_sink_init(&c.json_sink, NULL);
    opac_status status = prepare(&c, &cancel, &error);
    if (status == OPAC_OK)
        status = cli_read_file(arguments->operands[IN], cancel, &text, &error);
    if (status == OPAC_OK) {
        c.source.text = opac_output_bytes(text, &c.source.length);
        status = convert_stream(&c, &error);
    }
    cli_exit exit = status == OPAC_OK ? CLI_EXIT_DONE : cli_report_at(&c.source, &error);
    opac_output_free(text);
    cli_sink_fini(&c.json_sink);
    cli_sink_fini(&c.sink);
    cli_interrupt_end(cancel);
    return exit;
}
