/* SPDX-License-Identifier: MIT */
/* A command line, parsed against the table of options. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdint.h>

#include <omegapac/json.h>

#include "cli/commands.h"

/* Passing on the failure of another function (omegapac/error.h). */
#define TRY(expression)           OPAC_TRY(expression)
#define TRY_OR(label, expression) OPAC_TRY_OR(label, expression)

typedef struct cli_value {
    bool given;       /* on the command line; false also where the fallback was taken */
    bool is_set;      /* given, or there is a fallback */
    const char *text; /* as written; of a repeatable option, the last */
    double number;    /* CLI_NUMBER */
    uint64_t count;   /* CLI_COUNT, CLI_WORD_OR_COUNT when it is a number */
    const char *word; /* CLI_WORD, CLI_WORD_OR_COUNT: the word, from the table; NULL: a number */
} cli_value;

typedef struct cli_arguments {
    const cli_command *command;
    int count; /* of the words, all borrowed */
    char *const *words;
    cli_value values[CLI_OPTION_COUNT];
    const char *operands[CLI_MOST_OPERANDS]; /* NULL: not given; of a repeated one, the first */
} cli_arguments;

/*
 * Parses what stands behind the subcommand's name: --name VALUE, --name=VALUE,
 * -x VALUE, -xVALUE, flags, operands in between, and -- behind which there are
 * only operands. A single - is an operand, and so is a negative number; what
 * else begins with - is an option. The texts are borrowed. When --help or
 * --version is among the words, nothing else is looked at. On failure the
 * message is one line that says what is allowed.
 */
opac_status cli_arguments_parse(cli_arguments *arguments, const cli_command *command, int count,
                                char *const *words, opac_error *error);

/* How far a walk over a parsed command line has come; all zeros is its beginning. */
typedef struct cli_walk {
    int at;
    bool no_more_options; /* behind -- */
    size_t operands;      /* how many were met */
} cli_walk;

/* The values of a repeatable option, one a call, in their order; NULL behind the last. */
const char *cli_next_value(const cli_arguments *arguments, cli_option_id option, cli_walk *walk);
/* The texts of the operand with this index, one a call; NULL behind the last. */
const char *cli_next_operand(const cli_arguments *arguments, size_t index, cli_walk *walk);

/* An object of every option with a JSON key that has a value, in the command's order. `but` is left out. */
void cli_write_params(const cli_arguments *arguments, cli_option_id but, opac_json *json);

/* Sets a value from its text, as its type says. For the parser. */
opac_status cli_value_set(cli_value *value, const cli_option *option, const char *text,
                          opac_error *error);
/* Fills an error of the command line; the format is that of printf. Returns its code. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((format(printf, 2, 3)))
#endif
opac_status
cli_fail(opac_error *error, const char *format, ...);

/* A piece of a message. */
typedef struct cli_piece {
    char text[64];
} cli_piece;

/* A text of the user's, cut when long, nothing unprintable in it; with quotes, or without. */
cli_piece cli_quote(const char *text);
cli_piece cli_show(const char *text);
cli_piece cli_show_path(const char *path); /* the end of a long one */

/* " (did you mean --epsilon?)", or "" when nothing is near. */
/* For an option as PRISM, Storm or habit spell it; next: the word behind it, or NULL. "": none. */
cli_piece cli_suggest_alias(const cli_command *command, const char *word, const char *next);
cli_piece cli_suggest_option(const cli_command *command, const char *word);
cli_piece cli_suggest_command(const char *word);
cli_piece cli_suggest_word(const cli_option *option, const char *word);

#endif
