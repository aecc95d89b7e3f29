/* SPDX-License-Identifier: MIT */
/*
 * omegapac convert for automata: converts the kind, acceptance condition and format. The first error ends the
 * run and leaves the file OUT unchanged.
 */
#include <stdio.h>

#include <omegapac/automaton.h>
#include <omegapac/drawing.h>

#include "cli/automata.h"
#include "cli/command_convert.h"
#include "cli/interrupt.h"
#include "cli/result.h"
#include "cli/source.h"

typedef struct conversion {
    const cli_arguments *arguments;
    opac_automaton_options options;
    cli_format to;
    cli_source source;
    cli_sink sink;      /* OUT */
    cli_sink json_sink; /* with --json: standard output */
    uint64_t number;    /* of the current automaton, from 1 */
} conversion;

/* ---- one automaton ---- */

static opac_status write_json(conversion *c, const opac_automaton *automaton, double milliseconds,
                              opac_error *error)
{
    cli_frame frame;
    opac_output *out;
    TRY(cli_sink_begin(&c->json_sink, &out, error));
    TRY(cli_frame_open(&frame, c->arguments, CLI_NO_OPTION, error));
    opac_status made =
        opac_result_of_convert(automaton, c->arguments->operands[0], milliseconds * 1e-3,
                               &frame.source, &frame.result, error);
    TRY(cli_frame_put(&frame, made, out, error));
    return cli_sink_end(&c->json_sink, error);
}

static opac_status write_automaton(conversion *c, const opac_automaton *automaton,
                                   opac_error *error)
{
    opac_output *out;
    if (c->to == CLI_FORMAT_SVG && c->number > 1)
        return cli_fail(error, "an .svg file holds one automaton, but IN has several");
    TRY(cli_sink_begin(&c->sink, &out, error));
    opac_status status = OPAC_OK;
    if (c->to == CLI_FORMAT_SVG)
        status = opac_automaton_write_svg(automaton, 0, c->options.cancel, out, error);
    else if (c->to == CLI_FORMAT_DOT)
        opac_automaton_write_dot(automaton, out);
    else
        opac_automaton_write_hoa(automaton, out);
    if (status == OPAC_ERROR_LIMIT)
        error->parameter = NULL; /* no option sets this limit */
    return status == OPAC_OK ? cli_sink_end(&c->sink, error) : status;
}

/* With --json, JSON replaces the automaton on standard output. */
static opac_status write_both(conversion *c, const opac_automaton *automaton, double milliseconds,
                              opac_error *error)
{
    bool json = c->arguments->values[CLI_JSON].given;
    if (c->sink.path != NULL || !json)
        TRY(write_automaton(c, automaton, error));
    return json ? write_json(c, automaton, milliseconds, error) : OPAC_OK;
}

/* Names the file and the automaton, which the library does not know. */
static void add_place(const conversion *c, opac_error *error)
{
    char place[96];
    snprintf(place, sizeof place, "%s: automaton %llu: ", cli_show_path(c->source.name).text,
             (unsigned long long)c->number);
    cli_prepend(error, place);
}

static opac_status convert_one(conversion *c, const opac_automaton *given, opac_error *error)
{
    opac_automaton *automaton = NULL;
    double start = opac_clock_seconds();
    opac_status status = opac_automaton_convert(given, &c->options, &automaton, error);
    if (status == OPAC_OK)
        status = write_both(c, automaton, 1e3 * (opac_clock_seconds() - start), error);
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
    opac_hoa_reader *reader;
    opac_status status = OPAC_OK;
    TRY(opac_hoa_reader_new(c->source.text, c->source.length, cli_notice, &c->source, &reader,
                            error));
    opac_hoa_reader_set_cancel(reader, c->options.cancel);
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
    TRY(status);
    if (c->number == 0)
        cli_notice(&c->source, 0, 0, "the input contains no automaton");
    return cli_sink_commit(&c->sink, error);
}

/* Uses the text that was read before, or reads the file. */
static opac_status find_text(conversion *c, const cli_conversion *given, opac_output **text,
                             opac_error *error)
{
    opac_output *found = given->text;
    if (found == NULL) {
        TRY(cli_read_file(given->in, c->options.cancel, text, error));
        found = *text;
    }
    c->source.text = opac_output_bytes(found, &c->source.length);
    return OPAC_OK;
}

static opac_status run(conversion *c, const cli_conversion *given, opac_cancel **cancel,
                       opac_output **text, opac_error *error)
{
    TRY(cli_interrupt_begin(given->arguments, cancel, error));
    TRY(cli_automaton_options(given->arguments, *cancel, &c->options, error));
    TRY(find_text(c, given, text, error));
    return convert_stream(c, error);
}

cli_exit cli_convert_automata(const cli_conversion *given)
{
    conversion c = {.arguments = given->arguments,
                    .to = given->to,
                    .source = {.arguments = given->arguments,
                               .name = cli_file_name(given->in),
                               .first_line = 1}};
    opac_cancel *cancel = NULL;
    opac_output *text = NULL;
    opac_error error;
    cli_sink_init(&c.sink, given->out);
    cli_sink_init(&c.json_sink, NULL);
    opac_status status = run(&c, given, &cancel, &text, &error);
    cli_exit exit = status == OPAC_OK ? CLI_EXIT_DONE : cli_report_at(&c.source, &error);
    opac_output_free(text);
    cli_sink_fini(&c.json_sink);
    cli_sink_fini(&c.sink);
    cli_interrupt_end(cancel);
    return exit;
}
