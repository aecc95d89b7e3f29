/* SPDX-License-Identifier: MIT */
/*
 * omegapac translate: translates LTL formulas to automata, one formula or a file of them.
 *
 * If a formula of a file fails, the error is reported and the next formula is translated; the exit status is
 * that of the first failure. A request to stop and a failed write end the run early.
 */
#include <stdio.h>
#include <string.h>

#include <omegapac/automaton.h>
#include <omegapac/text.h>

#include "cli/automata.h"
#include "cli/interrupt.h"
#include "cli/result.h"
#include "cli/source.h"

typedef struct translation {
    const cli_arguments *arguments;
    opac_automaton_options options;
    opac_formula_style style;
    cli_sink sink;
    uint64_t written, failed;
    cli_exit exit;    /* of the first failure */
    bool is_finished; /* no further formula is translated */
} translation;

/* One formula, with its source and its translation. */
typedef struct work {
    cli_source source;
    bool from_file;
    opac_formula *formula;     /* with --simplify: simplified */
    opac_automaton *automaton; /* NULL with --simplify */
    double milliseconds;
} work;

/* ---- from text to automaton ---- */

/* Refuses a NUL byte in a line of a file, since the library takes NUL-terminated text. */
static opac_status check_bytes(const cli_source *source, opac_error *error)
{
    size_t length = strlen(source->text);
    if (length == source->length)
        return OPAC_OK;
    uint32_t column = 1;
    for (size_t i = 0; i < length; i++) /* bytes that begin a character */
        column += ((unsigned char)source->text[i] & 0xC0) != 0x80;
    *error = (opac_error){.code = OPAC_ERROR_SYNTAX, .line = 1, .column = column};
    snprintf(error->message, sizeof error->message, "unexpected NUL byte");
    return error->code;
}

static opac_status parse(const translation *t, work *w, opac_error *error)
{
    opac_formula_options options = {
        .notice = cli_notice, .notice_context = &w->source, .cancel = t->options.cancel};
    TRY(check_bytes(&w->source, error));
    return t->arguments->values[CLI_PRISM].given
               ? opac_formula_parse_prism(w->source.text, &options, &w->formula, error)
               : opac_formula_parse(w->source.text, &options, &w->formula, error);
}

static opac_status simplify(const translation *t, work *w, opac_error *error)
{
    opac_formula *simpler;
    TRY(opac_formula_simplify(w->formula, t->options.cancel, t->options.work_limit, &simpler,
                              error));
    opac_formula_free(w->formula);
    w->formula = simpler;
    return OPAC_OK;
}

static opac_status compute(const translation *t, work *w, opac_error *error)
{
    double start = opac_clock_seconds();
    TRY(parse(t, w, error));
    TRY(t->arguments->values[CLI_SIMPLIFY].given
            ? simplify(t, w, error)
            : opac_automaton_translate(w->formula, &t->options, &w->automaton, error));
    w->milliseconds = 1e3 * (opac_clock_seconds() - start);
    return OPAC_OK;
}

/* ---- writing ---- */

static opac_status write_json(const translation *t, const work *w, opac_output *out,
                              opac_error *error)
{
    static const char blanks[] = " \t\r\n";
    opac_translate_answer answer = {.text = w->source.text + strspn(w->source.text, blanks),
                                    .automaton = w->automaton,
                                    .formula = w->formula,
                                    .style = t->style,
                                    .seconds = w->milliseconds * 1e-3};
    cli_frame frame;
    answer.length = strlen(answer.text);
    while (answer.length > 0 && strchr(blanks, answer.text[answer.length - 1]) != NULL)
        answer.length--;
    if (w->from_file) {
        answer.file = w->source.name;
        answer.line = w->source.first_line;
    }
    TRY(cli_frame_open(&frame, t->arguments, CLI_NO_OPTION, error));
    return cli_frame_put(
        &frame, opac_result_of_translate(&answer, &frame.source, &frame.result, error), out, error);
}

static opac_status write_work(translation *t, const work *w, opac_error *error)
{
    opac_output *out;
    TRY(cli_sink_begin(&t->sink, &out, error));
    if (t->arguments->values[CLI_JSON].given) {
        TRY(write_json(t, w, out, error));
    } else if (w->automaton == NULL) {
        opac_formula_write(w->formula, t->style, out);
        opac_output_text(out, "\n");
    } else if (t->arguments->values[CLI_DOT].given) {
        opac_automaton_write_dot(w->automaton, out);
    } else {
        opac_automaton_write_hoa(w->automaton, out);
    }
    return cli_sink_end(&t->sink, error);
}

/* ---- failures ---- */

/* Adds the formula to an error without a place in it: "omegapac translate: 'G F a' (spec.ltl:3): message". */
static void add_formula(const translation *t, const work *w, opac_error *error)
{
    char formula[OPAC_SHOWN_SIZE], name[OPAC_SHOWN_SIZE], place[OPAC_SHOWN_SIZE + 32] = "";
    char before[2 * OPAC_SHOWN_SIZE + 64];
    cli_automaton_advise(t->arguments, true, error);
    opac_text_show(w->source.text, strlen(w->source.text), formula, sizeof formula);
    opac_text_show_path(w->source.name, name, sizeof name);
    if (w->from_file)
        snprintf(place, sizeof place, " (%s:%lu)", name, (unsigned long)w->source.first_line);
    snprintf(before, sizeof before, "'%s'%s: ", formula, place);
    cli_prepend(error, before);
}

static void fail(translation *t, const work *w, opac_error *error)
{
    if (error->line == 0 && error->code != OPAC_ERROR_CANCELLED)
        add_formula(t, w, error);
    cli_exit exit = cli_report_at(&w->source, error);
    if (t->failed++ == 0)
        t->exit = exit;
    if (error->code == OPAC_ERROR_CANCELLED) {
        t->exit = exit;
        t->is_finished = true;
    }
}

/* Ends the run because of an error that is not about a formula. */
static void end_run(translation *t, const opac_error *error)
{
    t->exit = cli_report(t->arguments->command, error);
    t->is_finished = true;
}

/* ---- the run ---- */

static void translate(translation *t, const cli_source *source, bool from_file)
{
    work w = {.source = *source, .from_file = from_file};
    opac_error error;
    if (compute(t, &w, &error) != OPAC_OK)
        fail(t, &w, &error);
    else if (write_work(t, &w, &error) != OPAC_OK)
        end_run(t, &error);
    else
        t->written++;
    opac_automaton_free(w.automaton);
    opac_formula_free(w.formula);
}

/* Empty lines and comments are skipped. */
static bool has_formula(const char *text, size_t length)
{
    size_t blanks = strspn(text, " \t\r");
    return blanks < length && text[blanks] != '#';
}

static void translate_lines(translation *t, const char *path)
{
    cli_lines lines;
    opac_error error;
    opac_status status = cli_lines_open(&lines, path, t->options.cancel, &error);
    cli_source source = {.arguments = t->arguments, .name = cli_file_name(path)};
    while (status == OPAC_OK && !t->is_finished) {
        status = cli_lines_next(&lines, &source.text, &source.length, &error);
        if (status != OPAC_OK || source.text == NULL)
            break;
        source.first_line = lines.number;
        if (has_formula(source.text, source.length))
            translate(t, &source, true);
    }
    cli_lines_close(&lines);
    if (status != OPAC_OK)
        end_run(t, &error);
    else if (t->written == 0 && t->failed == 0)
        cli_notice(&source, 0, 0, "the input contains no formula");
}

static void translate_all(translation *t)
{
    const char *operand = t->arguments->operands[0];
    if (operand == NULL)
        translate_lines(t, t->arguments->values[CLI_FORMULAS].text);
    else if (strcmp(operand, "-") == 0)
        translate_lines(t, operand);
    else
        translate(t,
                  &(cli_source){.arguments = t->arguments,
                                .name = "formula",
                                .first_line = 1,
                                .text = operand,
                                .length = strlen(operand)},
                  false);
}

/* Writes the file unless the run ended early, or all formulas failed. */
static void deliver(translation *t)
{
    opac_error error;
    if (!t->is_finished && (t->written > 0 || t->failed == 0) &&
        cli_sink_commit(&t->sink, &error) != OPAC_OK)
        end_run(t, &error);
    cli_sink_fini(&t->sink);
}

static opac_formula_style style_of(const cli_value *style)
{
    if (style->is_set && strcmp(style->word, "prism") == 0)
        return OPAC_FORMULA_PRISM;
    return style->is_set && strcmp(style->word, "latex") == 0 ? OPAC_FORMULA_LATEX
                                                              : OPAC_FORMULA_INFIX;
}

static opac_status prepare(translation *t, opac_cancel **cancel, opac_error *error)
{
    TRY(cli_interrupt_begin(t->arguments, cancel, error));
    return cli_automaton_options(t->arguments, *cancel, &t->options, error);
}

cli_exit cli_run_translate(const cli_arguments *arguments)
{
    translation t = {.arguments = arguments, .style = style_of(&arguments->values[CLI_STYLE])};
    opac_cancel *cancel = NULL;
    opac_error error;
    cli_sink_init(&t.sink, arguments->values[CLI_OUTPUT].text);
    if (prepare(&t, &cancel, &error) == OPAC_OK) {
        translate_all(&t);
        deliver(&t);
    } else {
        t.exit = cli_report(arguments->command, &error);
    }
    cli_interrupt_end(cancel);
    return t.exit;
}
