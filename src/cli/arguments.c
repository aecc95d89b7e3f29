/* SPDX-License-Identifier: MIT */
/* Parsing a command line by the table. */
#include "cli/arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>

/* Where the parser is. */
typedef struct parser {
    cli_arguments *arguments;
    int count, at;
    char *const *words;
    bool no_more_options; /* behind -- */
    opac_error *error;
} parser;

#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
static opac_status
fail(opac_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    *error = (opac_error){.code = OPAC_ERROR_ARGUMENT};
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return OPAC_ERROR_ARGUMENT;
}

static const cli_option_use *find_by_name(const cli_command *command, const char *name,
                                          size_t length)
{
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++) {
        const char *candidate = cli_options[use->option].name;
        if (candidate != NULL && strlen(candidate) == length &&
            memcmp(candidate, name, length) == 0)
            return use;
    }
    return NULL;
}

static const cli_option_use *find_by_letter(const cli_command *command, char letter)
{
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        if (cli_options[use->option].letter == letter)
            return use;
    return NULL;
}

/* The option that a word spells, with or without a value attached; NULL: none. */
static const cli_option_use *find_option(const cli_command *command, const char *word)
{
    if (word[0] != '-' || word[1] == '\0')
        return NULL;
    if (word[1] != '-')
        return find_by_letter(command, word[1]);
    return find_by_name(command, word + 2, strcspn(word + 2, "="));
}

/* ---- values ---- */

static opac_status check_range(const cli_option *option, double value, const char *text,
                               opac_error *error)
{
    char name[32], words[96];
    if (cli_range_has(&option->range, value))
        return OPAC_OK;
    return fail(error, "%s %s, not %s", cli_option_spelling(option, name),
                cli_range_words(&option->range, words), cli_show(text).text);
}

/* The library's own message about a text, with the option and the text before it. */
static opac_status fail_value(const cli_option *option, const char *text, const opac_error *reason,
                              opac_error *error)
{
    char name[32];
    return fail(error, "%s %s: %s", cli_option_spelling(option, name), cli_quote(text).text,
                reason->message);
}

static opac_status set_number(cli_value *value, const cli_option *option, opac_error *error)
{
    opac_error reason;
    if (opac_number_parse(value->text, &value->number, &reason) != OPAC_OK)
        return fail_value(option, value->text, &reason, error);
    return check_range(option, value->number, value->text, error);
}

/* A number that is not whole, but out of range as well, is told about its range. */
static opac_status set_count(cli_value *value, const cli_option *option, opac_error *error)
{
    opac_error reason;
    double number;
    if (opac_number_parse_whole(value->text, &value->count, &reason) == OPAC_OK)
        return check_range(option, (double)value->count, value->text, error);
    if (opac_number_parse(value->text, &number, NULL) == OPAC_OK &&
        !cli_range_has(&option->range, number))
        return check_range(option, number, value->text, error);
    return fail_value(option, value->text, &reason, error);
}

static opac_status set_word_or_count(cli_value *value, const cli_option *option, opac_error *error)
{
    char name[32], words[96] = "";
    for (size_t i = 0; option->words[i] != NULL; i++) {
        if (strcmp(option->words[i], value->text) == 0) {
            value->word = option->words[i];
            return OPAC_OK;
        }
        strncat(words, option->words[i], sizeof words - strlen(words) - 1);
        strncat(words, ", ", sizeof words - strlen(words) - 1);
    }
    double number;
    if (opac_number_parse(value->text, &number, NULL) != OPAC_OK)
        return fail(error, "%s must be %sor a whole number, not %s",
                    cli_option_spelling(option, name), words, cli_quote(value->text).text);
    return set_count(value, option, error);
}

static opac_status set_value(cli_value *value, const cli_option *option, const char *text,
                             opac_error *error)
{
    char name[32];
    value->is_set = true;
    value->text = text;
    switch (option->type) {
    case CLI_FLAG:
        return OPAC_OK;
    case CLI_COUNT:
        return set_count(value, option, error);
    case CLI_NUMBER:
        return set_number(value, option, error);
    case CLI_WORD_OR_COUNT:
        return set_word_or_count(value, option, error);
    case CLI_PATH:
        return *text != '\0' ? OPAC_OK
                             : fail(error, "%s needs the name of a file, not ''",
                                    cli_option_spelling(option, name));
    }
    return fail(error, "an option of unknown type");
}

/* ---- words ---- */

/* The value behind an option: what is attached to it, else the next word; NULL: an error. */
static const char *find_value(parser *p, const cli_option *option, const char *attached)
{
    char name[32];
    cli_option_spelling(option, name);
    if (option->type == CLI_FLAG && attached != NULL) {
        fail(p->error, "%s takes no value", name);
        return NULL;
    }
    if (option->type == CLI_FLAG)
        return "";
    if (attached != NULL)
        return attached;
    if (p->at == p->count || find_option(p->arguments->command, p->words[p->at]) != NULL) {
        fail(p->error, "%s needs a value: %s %s", name, name, option->placeholder);
        return NULL;
    }
    return p->words[p->at++];
}

/* Behind "=" for a name, behind the letter for a letter; NULL: nothing is attached. */
static const char *attached_value(const char *word)
{
    if (word[1] != '-')
        return word[2] != '\0' ? word + 2 : NULL;
    const char *equals = strchr(word, '=');
    return equals != NULL ? equals + 1 : NULL;
}

static opac_status take_option(parser *p, const char *word)
{
    const cli_option_use *use = find_option(p->arguments->command, word);
    if (use == NULL)
        return fail(p->error, "unknown option %s%s", cli_quote(word).text,
                    cli_suggest_option(p->arguments->command, word).text);
    const cli_option *option = &cli_options[use->option];
    cli_value *value = &p->arguments->values[use->option];
    char name[32];
    if (value->given)
        return fail(p->error, "%s is given twice", cli_option_spelling(option, name));
    value->given = true;
    const char *text = find_value(p, option, attached_value(word));
    return text != NULL ? set_value(value, option, text, p->error) : OPAC_ERROR_ARGUMENT;
}

static opac_status take_word(parser *p)
{
    const char *word = p->words[p->at++];
    if (strcmp(word, "--") == 0 && !p->no_more_options) {
        p->no_more_options = true;
        return OPAC_OK;
    }
    if (word[0] == '-' && word[1] != '\0' && !p->no_more_options)
        return take_option(p, word);
    return fail(p->error, "unexpected argument %s", cli_quote(word).text);
}

/* --help and --version go before everything else, also before errors. */
static bool take_requests(parser *p)
{
    for (int i = 0; i < p->count && strcmp(p->words[i], "--") != 0; i++) {
        const cli_option_use *use = find_option(p->arguments->command, p->words[i]);
        bool request = use != NULL && (use->option == CLI_HELP || use->option == CLI_VERSION);
        if (request && attached_value(p->words[i]) == NULL)
            return p->arguments->values[use->option].given = true;
    }
    return false;
}

/* One line for all that is missing, so that one look at it suffices. */
static opac_status check_required(const cli_arguments *arguments, opac_error *error)
{
    char missing[256] = "";
    size_t length = 0;
    const cli_command *command = arguments->command;
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++) {
        char name[32];
        if (use->required && !arguments->values[use->option].given && length < sizeof missing)
            length += (size_t)snprintf(missing + length, sizeof missing - length, "%s%s %s",
                                       length > 0 ? ", " : "",
                                       cli_option_spelling(&cli_options[use->option], name),
                                       cli_options[use->option].placeholder);
    }
    return length == 0 ? OPAC_OK : fail(error, "missing: %s", missing);
}

static opac_status check_exclusions(const cli_arguments *arguments, opac_error *error)
{
    const cli_value *values = arguments->values;
    char name[32], other[32];
    for (const cli_option_use *use = arguments->command->uses; use->option != CLI_NO_OPTION;
         use++) {
        cli_option_id excluded = cli_options[use->option].excludes;
        if (excluded != CLI_NO_OPTION && values[use->option].given && values[excluded].given)
            return fail(error, "%s and %s exclude each other: give one",
                        cli_option_spelling(&cli_options[use->option], name),
                        cli_option_spelling(&cli_options[excluded], other));
    }
    return OPAC_OK;
}

static opac_status set_fallbacks(cli_arguments *arguments, opac_error *error)
{
    opac_status status = OPAC_OK;
    for (const cli_option_use *use = arguments->command->uses;
         use->option != CLI_NO_OPTION && status == OPAC_OK; use++) {
        const cli_option *option = &cli_options[use->option];
        bool voided =
            option->excludes != CLI_NO_OPTION && arguments->values[option->excludes].given;
        if (!arguments->values[use->option].given && option->fallback != NULL && !voided)
            status = set_value(&arguments->values[use->option], option, option->fallback, error);
    }
    return status;
}

opac_status cli_arguments_parse(cli_arguments *arguments, const cli_command *command, int count,
                                char *const *words, opac_error *error)
{
    parser p = {.arguments = arguments, .count = count, .words = words, .error = error};
    opac_status status = OPAC_OK;
    *arguments = (cli_arguments){.command = command};
    if (take_requests(&p))
        return OPAC_OK;
    while (status == OPAC_OK && p.at < count)
        status = take_word(&p);
    if (status == OPAC_OK)
        status = check_required(arguments, error);
    if (status == OPAC_OK)
        status = check_exclusions(arguments, error);
    return status == OPAC_OK ? set_fallbacks(arguments, error) : status;
}

/* ---- echo ---- */

static void echo_value(const cli_option *option, const cli_value *value, opac_json *json)
{
    if (option->type == CLI_WORD_OR_COUNT && value->word == NULL) {
        opac_json_key(json, option->count_key);
        opac_json_uint(json, value->count);
    }
    opac_json_key(json, option->key);
    switch (option->type) {
    case CLI_FLAG:
        opac_json_bool(json, true);
        break;
    case CLI_COUNT:
        opac_json_uint(json, value->count);
        break;
    case CLI_NUMBER:
        opac_json_double(json, value->number);
        break;
    case CLI_WORD_OR_COUNT:
        opac_json_string(json, value->word != NULL ? value->word : "number");
        break;
    case CLI_PATH:
        opac_json_string(json, value->text);
        break;
    }
}

void cli_arguments_echo(const cli_arguments *arguments, opac_json *json)
{
    opac_json_key(json, "params");
    opac_json_begin_object(json);
    for (const cli_option_use *use = arguments->command->uses; use->option != CLI_NO_OPTION; use++)
        if (cli_options[use->option].key != NULL && arguments->values[use->option].is_set)
            echo_value(&cli_options[use->option], &arguments->values[use->option], json);
    opac_json_end_object(json);
}
