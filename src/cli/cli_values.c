/* SPDX-License-Identifier: MIT */
/* Parses the values of options, and writes them as JSON. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>

#include "cli/arguments.h"

opac_status cli_fail(opac_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    *error = (opac_error){.code = OPAC_ERROR_ARGUMENT};
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return OPAC_ERROR_ARGUMENT;
}

static opac_status check_range(const cli_option *option, double value, const char *text,
                               opac_error *error)
{
    char name[32], words[96];
    if (cli_range_has(&option->range, value))
        return OPAC_OK;
    return cli_fail(error, "%s %s, not %s", cli_option_spelling(option, name),
                    cli_range_words(&option->range, words), cli_show(text).text);
}

/* The message of the library about a text, after the option and the text. */
static opac_status fail_value(const cli_option *option, const char *text, const opac_error *reason,
                              opac_error *error)
{
    char name[32];
    return cli_fail(error, "%s %s: %s", cli_option_spelling(option, name), cli_quote(text).text,
                    reason->message);
}

static opac_status set_number(cli_value *value, const cli_option *option, opac_error *error)
{
    opac_error reason;
    if (opac_number_parse(value->text, &value->number, &reason) != OPAC_OK)
        return fail_value(option, value->text, &reason, error);
    return check_range(option, value->number, value->text, error);
}

/* If a number is neither whole nor within its range, the error is about the range. */
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

static const char *find_word(const cli_option *option, const char *text)
{
    for (size_t i = 0; option->words[i] != NULL; i++)
        if (strcmp(option->words[i], text) == 0)
            return option->words[i];
    return NULL;
}

static opac_status set_word(cli_value *value, const cli_option *option, opac_error *error)
{
    char name[32], words[128];
    value->word = find_word(option, value->text);
    if (value->word != NULL)
        return OPAC_OK;
    return cli_fail(error, "%s must be %s, not %s%s", cli_option_spelling(option, name),
                    cli_option_words(option, words), cli_quote(value->text).text,
                    cli_suggest_word(option, value->text).text);
}

static opac_status set_word_or_count(cli_value *value, const cli_option *option, opac_error *error)
{
    char name[32], words[96] = "";
    double number;
    value->word = find_word(option, value->text);
    if (value->word != NULL)
        return OPAC_OK;
    if (opac_number_parse(value->text, &number, NULL) == OPAC_OK)
        return set_count(value, option, error);
    for (size_t i = 0; option->words[i] != NULL; i++) {
        strncat(words, option->words[i], sizeof words - strlen(words) - 1);
        strncat(words, ", ", sizeof words - strlen(words) - 1);
    }
    return cli_fail(error, "%s must be %sor a whole number, not %s%s",
                    cli_option_spelling(option, name), words, cli_quote(value->text).text,
                    cli_suggest_word(option, value->text).text);
}

opac_status cli_value_set(cli_value *value, const cli_option *option, const char *text,
                          opac_error *error)
{
    char name[32];
    value->is_set = true;
    value->text = text;
    switch (option->type) {
    case CLI_FLAG:
    case CLI_TEXT:
        return OPAC_OK;
    case CLI_COUNT:
        return set_count(value, option, error);
    case CLI_NUMBER:
        return set_number(value, option, error);
    case CLI_WORD:
        return set_word(value, option, error);
    case CLI_WORD_OR_COUNT:
        return set_word_or_count(value, option, error);
    case CLI_PATH:
        return *text != '\0' ? OPAC_OK
                             : cli_fail(error, "%s must be a file name, not ''",
                                        cli_option_spelling(option, name));
    }
    return cli_fail(error, "an option of unknown type");
}

/* ---- JSON ---- */

static void echo_value(const cli_option *option, const cli_value *value, opac_json *json)
{
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
    case CLI_WORD:
    case CLI_WORD_OR_COUNT:
        opac_json_string(json, value->word != NULL ? value->word : "number");
        break;
    case CLI_TEXT:
    case CLI_PATH:
        opac_json_string(json, value->text);
        break;
    }
}

static void echo_option(const cli_arguments *arguments, cli_option_id id, opac_json *json)
{
    const cli_option *option = &cli_options[id];
    const cli_value *value = &arguments->values[id];
    if (option->type == CLI_WORD_OR_COUNT && value->word == NULL) {
        opac_json_key(json, option->count_key);
        opac_json_uint(json, value->count);
        if (strcmp(option->count_key, option->key) == 0)
            return;
    }
    opac_json_key(json, option->key);
    if (!option->repeatable) {
        echo_value(option, value, json);
        return;
    }
    opac_json_begin_array(json);
    cli_walk walk = {0};
    for (const char *text; (text = cli_next_value(arguments, id, &walk)) != NULL;) {
        cli_value one = {0};
        opac_error error; /* not used: the text has been parsed before */
        if (cli_value_set(&one, option, text, &error) == OPAC_OK)
            echo_value(option, &one, json);
    }
    opac_json_end_array(json);
}

void cli_write_params(const cli_arguments *arguments, cli_option_id except, opac_json *json)
{
    opac_json_begin_object(json);
    for (const cli_option_use *use = arguments->command->uses; use->option != CLI_NO_OPTION; use++)
        if (use->option != except && cli_options[use->option].key != NULL &&
            arguments->values[use->option].is_set)
            echo_option(arguments, use->option, json);
    opac_json_end_object(json);
}
