/* SPDX-License-Identifier: MIT */
/*
 * Colours for terminals. They are disabled by --no-color, by NO_COLOR in the environment and on dumb
 * terminals. They only repeat what the text says.
 */
#ifndef CLI_COLOUR_H
#define CLI_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

#include <omegapac/output.h>

typedef enum cli_style {
    CLI_PLAIN,
    CLI_STRONG,
    CLI_KEY,
    CLI_GOOD,
    CLI_BAD,
    CLI_REMARK
} cli_style;

/* Disables colours from now on. */
void cli_disable_colour(void);

bool cli_has_colour(FILE *stream);

/* The escape sequence that begins a style on the stream, or ends it (CLI_PLAIN); "" without colours. */
const char *cli_style_code(FILE *stream, cli_style style);

/* Writes a result with its first line, its keys and its failures coloured; other text is not changed. */
void cli_colour_result(const char *text, size_t length, opac_output *out);

#endif
