/* SPDX-License-Identifier: MIT */
/*
 * Colours, on a terminal alone. There are none with --no-color, with NO_COLOR
 * in the environment, and on a terminal that is dumb. They only come on top:
 * what they say, the words say as well.
 */
#ifndef CLI_COLOUR_H
#define CLI_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

#include <omegapac/output.h>

typedef enum cli_ink {
    CLI_PLAIN,
    CLI_STRONG,
    CLI_KEY,
    CLI_GOOD,
    CLI_BAD,
    CLI_REMARK
} cli_ink;

/* From now on there are none. */
void cli_forbid_colour(void);

bool cli_has_colour(FILE *stream);

/* What begins an ink on that stream, and with CLI_PLAIN ends it; "" where there are no colours. */
const char *cli_ink_on(FILE *stream, cli_ink ink);

/* A result with its first words, its keys and its refusals in colour; other text as it is. */
void cli_colour_result(const char *text, size_t length, opac_output *out);

#endif
