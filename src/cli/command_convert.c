/* SPDX-License-Identifier: MIT */
/*
 * omegapac convert: determines the formats of IN and OUT, and whether the conversion is possible. Formats
 * follow from options and suffixes. If these do not determine whether IN is an automaton or a model (such
 * as standard input to .dot), its first bytes do.
 */
#include "cli/command_convert.h"

#include <string.h>

#include <omegapac/model.h>

#include "cli/interrupt.h"
#include "cli/models.h"
#include "cli/result.h"
#include "cli/source.h"

enum {
    IN,
    OUT
};

typedef enum kind {
    KIND_OPEN,
    KIND_AUTOMATON,
    KIND_MODEL
} kind;

/* ---- formats ---- */

static const struct {
    const char *word, *suffix;
    cli_format format;
} outputs[] = {
    {"hoa", ".hoa", CLI_FORMAT_HOA},    {"dot", ".dot", CLI_FORMAT_DOT},
    {"dot", ".gv", CLI_FORMAT_DOT},     {"svg", ".svg", CLI_FORMAT_SVG},
    {"tra", ".tra", CLI_FORMAT_TRA},    {"lab", ".lab", CLI_FORMAT_LAB},
    {"sta", ".sta", CLI_FORMAT_STA},    {"drn", ".drn", CLI_FORMAT_DRN},
    {"json", ".json", CLI_FORMAT_JSON},
};

enum {
    OUTPUTS = sizeof outputs / sizeof outputs[0]
};

static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash != NULL ? slash : path, '.');
    return dot != NULL ? dot : "";
}

static cli_format find_output(const cli_arguments *arguments)
{
    const char *word = arguments->values[CLI_TO].word;
    const char *suffix = suffix_of(arguments->operands[OUT]);
    for (int i = 0; i < OUTPUTS; i++)
        if (word != NULL ? strcmp(outputs[i].word, word) == 0
                         : strcmp(outputs[i].suffix, suffix) == 0)
            return outputs[i].format;
    return CLI_FORMAT_NONE;
}

cli_file cli_convert_writes(const cli_arguments *arguments)
{
    static const cli_file files[] = {
        [CLI_FORMAT_NONE] = CLI_FILE_NONE,   [CLI_FORMAT_HOA] = CLI_FILE_HOA,
        [CLI_FORMAT_DOT] = CLI_FILE_DOT,     [CLI_FORMAT_SVG] = CLI_FILE_SVG,
        [CLI_FORMAT_TRA] = CLI_FILE_TRA,     [CLI_FORMAT_LAB] = CLI_FILE_LAB,
        [CLI_FORMAT_STA] = CLI_FILE_STA,     [CLI_FORMAT_DRN] = CLI_FILE_DRN,
        [CLI_FORMAT_JSON] = CLI_FILE_RESULT,
    };
    return files[find_output(arguments)];
}

static opac_status find_input(const cli_arguments *arguments, kind *found, opac_error *error)
{
    const char *path = arguments->operands[IN], *word = arguments->values[CLI_FROM_ANY].word;
    opac_model_format format;
    *found = KIND_OPEN;
    if (word != NULL)
        *found = strcmp(word, "hoa") == 0 ? KIND_AUTOMATON : KIND_MODEL;
    else if (cli_is_automaton(path))
        *found = KIND_AUTOMATON;
    else if (opac_model_format_of(path, &format))
        *found = KIND_MODEL;
    else if (strcmp(path, "-") != 0 && *suffix_of(path) != '\0') {
        cli_fail(error,
                 "IN %s: unknown format; use .hoa, .prism, .pm, .nm, .mdp, .dtmc, .tra "
                 "or .drn, or give --from",
                 cli_quote(path).text);
        return error->code = OPAC_ERROR_UNSUPPORTED;
    }
    return OPAC_OK;
}

/* ---- possible conversions ---- */

static opac_status fail_output(const cli_arguments *arguments, kind from, opac_error *error)
{
    static const char *const formats[] = {
        [KIND_OPEN] = "use .hoa, .dot, .gv, .svg, .tra, .lab, .sta, .drn or .json",
        [KIND_AUTOMATON] = "an automaton can be written as .hoa, .dot, .gv or .svg",
        [KIND_MODEL] = "a model can be written as .tra, .lab, .sta, .drn, .dot, .gv or .json",
    };
    if (strcmp(arguments->operands[OUT], "-") == 0)
        cli_fail(error, "OUT -: unknown format; give --to tra, lab, sta, drn, dot or json");
    else
        cli_fail(error, "OUT %s: unknown format; %s, or give --to",
                 cli_quote(arguments->operands[OUT]).text, formats[from]);
    return error->code = OPAC_ERROR_UNSUPPORTED;
}

static bool is_for_models(cli_format format)
{
    return format != CLI_FORMAT_NONE && format != CLI_FORMAT_HOA && format != CLI_FORMAT_DOT &&
           format != CLI_FORMAT_SVG;
}

/* Determines an unknown input kind by the output. If both are unknown, - stands for an automaton. */
static void decide_by_output(const cli_arguments *arguments, kind *from, cli_format *to)
{
    bool is_stdout = strcmp(arguments->operands[OUT], "-") == 0;
    if (*to == CLI_FORMAT_NONE && *from != KIND_MODEL && is_stdout)
        *to = CLI_FORMAT_HOA;
    if (*to == CLI_FORMAT_NONE && arguments->values[CLI_JSON].given && is_stdout)
        *to = CLI_FORMAT_JSON;
    if (*from == KIND_OPEN && (*to == CLI_FORMAT_HOA || *to == CLI_FORMAT_SVG))
        *from = KIND_AUTOMATON;
    if (*from == KIND_OPEN && is_for_models(*to))
        *from = KIND_MODEL;
}

static opac_status check_kinds(const cli_arguments *arguments, kind from, cli_format to,
                               opac_error *error)
{
    cli_piece in = cli_quote(arguments->operands[IN]), out = cli_quote(arguments->operands[OUT]);
    if (to == CLI_FORMAT_NONE)
        return fail_output(arguments, from, error);
    if (from == KIND_MODEL && to == CLI_FORMAT_HOA)
        cli_fail(error, "cannot convert a model (%s) to an automaton (%s)", in.text, out.text);
    else if (from == KIND_MODEL && to == CLI_FORMAT_SVG)
        cli_fail(error, "a model cannot be written as .svg; use .dot");
    else if (from == KIND_AUTOMATON && to == CLI_FORMAT_JSON)
        cli_fail(error, "an automaton cannot be written as .json; use --json to describe it");
    else if (from == KIND_AUTOMATON && is_for_models(to))
        cli_fail(error, "cannot convert an automaton (%s) to a model (%s)", in.text, out.text);
    else
        return OPAC_OK;
    return error->code = OPAC_ERROR_UNSUPPORTED;
}

/* ---- options ---- */

static const cli_option_id for_automata[] = {CLI_ANY_KIND, CLI_ACCEPTANCE,       CLI_STATE_BASED,
                                             CLI_COMPLETE, CLI_TRANSLATION_WORK, CLI_NO_OPTION};
static const cli_option_id for_models[] = {CLI_CONSTANTS, CLI_EXACT, CLI_MAX_MEMORY, CLI_DOT_LIMIT,
                                           CLI_NO_OPTION};

static const cli_option_id for_drawings[] = {CLI_DOT_LIMIT, CLI_NO_OPTION};

/* Refuses options that have no effect, and clears their defaults. */
static opac_status refuse(cli_arguments *arguments, const cli_option_id *options, const char *scope,
                          opac_error *error)
{
    char name[32];
    for (; *options != CLI_NO_OPTION; options++) {
        if (arguments->values[*options].given)
            return cli_fail(error, "%s is for %s",
                            cli_option_spelling(&cli_options[*options], name), scope);
        arguments->values[*options] = (cli_value){0};
    }
    return OPAC_OK;
}

/* --max-states has different defaults for automata and models. */
static opac_status set_limit(cli_arguments *arguments, cli_option_id like, opac_error *error)
{
    cli_value *limit = &arguments->values[CLI_ANY_STATES];
    opac_status status = OPAC_OK;
    if (!limit->given)
        status =
            cli_value_set(limit, &cli_options[CLI_ANY_STATES], cli_options[like].fallback, error);
    arguments->values[like] = *limit;
    return status;
}

static opac_status set_options(cli_arguments *arguments, kind from, cli_format to,
                               opac_error *error)
{
    if (from == KIND_MODEL)
        TRY(refuse(arguments, for_automata, "automata, and IN is a model", error));
    else
        TRY(refuse(arguments, for_models, "models, and IN is an automaton", error));
    if (to != CLI_FORMAT_DOT)
        TRY(refuse(arguments, for_drawings, "drawings, and OUT is not one", error));
    return set_limit(arguments, from == KIND_MODEL ? CLI_MODEL_STATES : CLI_MAX_STATES, error);
}

/* ---- the first bytes ---- */

/* HOA begins with "HOA:", after blanks and comments. */
static bool looks_like_hoa(const char *text)
{
    for (;;) {
        text += strspn(text, " \t\r\n");
        const char *end = strncmp(text, "/*", 2) == 0 ? strstr(text + 2, "*/") : NULL;
        if (end == NULL)
            return strncmp(text, "HOA:", 4) == 0;
        text = end + 2;
    }
}

static opac_status recognise_input(cli_conversion *c, kind *from, opac_error *error)
{
    opac_cancel *cancel = NULL;
    TRY(cli_interrupt_begin(c->arguments, &cancel, error));
    opac_status status = cli_read_file(c->in, cancel, &c->text, error);
    cli_interrupt_end(cancel);
    TRY(status);
    *from = looks_like_hoa(opac_output_bytes(c->text, &(size_t){0})) ? KIND_AUTOMATON : KIND_MODEL;
    return OPAC_OK;
}

static opac_status decide(cli_conversion *c, cli_arguments *arguments, kind *from,
                          opac_error *error)
{
    TRY(find_input(arguments, from, error));
    c->to = find_output(arguments);
    decide_by_output(arguments, from, &c->to);
    TRY(check_kinds(arguments, *from, c->to, error));
    if (*from == KIND_OPEN)
        TRY(recognise_input(c, from, error));
    return set_options(arguments, *from, c->to, error);
}

cli_exit cli_run_convert(const cli_arguments *given)
{
    cli_arguments arguments = *given;
    cli_conversion c = {
        .arguments = &arguments, .in = arguments.operands[IN], .out = arguments.operands[OUT]};
    kind from = KIND_OPEN;
    opac_error error;
    cli_exit exit;
    if (decide(&c, &arguments, &from, &error) != OPAC_OK)
        exit = cli_report(arguments.command, &error);
    else
        exit = from == KIND_MODEL ? cli_convert_model(&c) : cli_convert_automata(&c);
    opac_output_free(c.text);
    return exit;
}
