/* SPDX-License-Identifier: MIT */
/* A command line, parsed against the table of options. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdint.h>

#include <omegapac/json.h>

#include "cli/commands.h"

typedef struct cli_value {
    bool given;       /* on the command line; false also where the fallback was taken */
    bool is_set;      /* given, or there is a fallback */
    const char *text; /* as written */
    double number;    /* CLI_NUMBER */
    uint64_t count;   /* CLI_COUNT, CLI_WORD_OR_COUNT when it is a number */
    const char *word; /* CLI_WORD_OR_COUNT: the word, from the table; NULL: a number */
} cli_value;

typedef struct cli_arguments {
    const cli_command *command;
    cli_value values[CLI_OPTION_COUNT];
} cli_arguments;

/*
 * Parses what stands behind the subcommand's name: --name VALUE, --name=VALUE,
 * -x VALUE, -xVALUE, flags, and -- behind which there are no options. The texts
 * are borrowed. When --help or --version is among the words, nothing else is
 * looked at. On failure the message is one line that says what is allowed.
 */
opac_status cli_arguments_parse(cli_arguments *arguments, const cli_command *command, int count,
                                char *const *words, opac_error *error);

/* The member "params": every option with a JSON key that has a value, in the command's order. */
void cli_arguments_echo(const cli_arguments *arguments, opac_json *json);

/* A piece of a message. */
typedef struct cli_piece {
    char text[64];
} cli_piece;

/* A text of the user's, cut when long, nothing unprintable in it; with quotes, or without. */
cli_piece cli_quote(const char *text);
cli_piece cli_show(const char *text);

/* " (did you mean --epsilon?)", or "" when nothing is near. */
cli_piece cli_suggest_option(const cli_command *command, const char *word);
cli_piece cli_suggest_command(const char *word);

#endif
