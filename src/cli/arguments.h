/* SPDX-License-Identifier: MIT */
/* Parses a command line by the table of options. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdint.h>

#include <omegapac/json.h>

#include "cli/commands.h"

/* Returns or jumps if a function fails (omegapac/error.h). */
#define TRY(expression)           OPAC_TRY(expression)
#define TRY_OR(label, expression) OPAC_TRY_OR(label, expression)

typedef struct cli_value {
    bool given;       /* on the command line; false if the value is the default */
    bool is_set;      /* given, or a default value */
    const char *text; /* as written; for a repeatable option, the last one */
    double number;    /* CLI_NUMBER */
    uint64_t count;   /* CLI_COUNT; CLI_WORD_OR_COUNT if it is a number */
    const char *word; /* CLI_WORD, CLI_WORD_OR_COUNT: the word, from the table; NULL for a number */
} cli_value;

typedef struct cli_arguments {
    const cli_command *command;
    int count; /* of the words, which are borrowed */
    char *const *words;
    cli_value values[CLI_OPTION_COUNT];
    const char
        *operands[CLI_MAX_OPERANDS]; /* NULL if not given; for a repeated operand, the first */
} cli_arguments;

/*
 * Parses the words after the name of the command: --name VALUE, --name=VALUE, -x VALUE, -xVALUE, flags,
 * operands in between, and -- after which there are only operands. A single - and negative numbers are
 * operands; any other word that begins with - is an option. The texts are borrowed. If --help or --version
 * is given, the other words are not examined. On failure the message is one line that says what is
 * allowed.
 */
opac_status cli_arguments_parse(cli_arguments *arguments, const cli_command *command, int count,
                                char *const *words, opac_error *error);

/* The position of a walk over a parsed command line; zeroed at the beginning. */
typedef struct cli_walk {
    int at;
    bool no_more_options; /* after -- */
    size_t operands;      /* number of operands so far */
} cli_walk;

/* Returns the next value of a repeatable option; NULL at the end. */
const char *cli_next_value(const cli_arguments *arguments, cli_option_id option, cli_walk *walk);
/* Returns the next text of the operand with this index; NULL at the end. */
const char *cli_next_operand(const cli_arguments *arguments, size_t index, cli_walk *walk);

/* Writes an object with every option that has a JSON key and a value, in the order of the command, without
 * the option `except`. */
void cli_write_params(const cli_arguments *arguments, cli_option_id except, opac_json *json);

/* Parses the text of a value by the type of the option. */
opac_status cli_value_set(cli_value *value, const cli_option *option, const char *text,
                          opac_error *error);
/* Sets an error of the command line with a printf format. Returns its code. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
opac_status
cli_fail(opac_error *error, const char *format, ...);

/* A piece of a message. */
typedef struct cli_piece {
    char text[64];
} cli_piece;

/* A text from the user, escaped and truncated; with or without quotes. */
cli_piece cli_quote(const char *text);
cli_piece cli_show(const char *text);
cli_piece cli_show_path(const char *path); /* truncated at the beginning */

/*
 * "; did you mean --epsilon?", or "" if nothing is similar. cli_suggest_alias knows the options of other
 * tools; next is the word after it, or NULL.
 */
cli_piece cli_suggest_alias(const cli_command *command, const char *word, const char *next);
cli_piece cli_suggest_option(const cli_command *command, const char *word);
cli_piece cli_suggest_command(const char *word);
cli_piece cli_suggest_word(const cli_option *option, const char *word);

#endif
