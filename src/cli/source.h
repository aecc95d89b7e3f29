/* SPDX-License-Identifier: MIT */
/*
 * Where texts come from, and messages that point into them:
 *
 *     spec.ltl:3:7: expected a formula, found the end
 *       G F a &
 *              ^
 */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include <stdint.h>
#include <stdio.h>

#include <omegapac/cancel.h>
#include <omegapac/output.h>

#include "cli/arguments.h"

/* A text with a name. All is borrowed. */
typedef struct cli_source {
    const cli_arguments *arguments; /* whose command speaks, and whether it is quiet */
    const char *name;               /* of the file; "formula" for an argument */
    uint32_t first_line;            /* which line of the file the text begins with, from 1 */
    const char *text;
    size_t length;
} cli_source;

/* The error with its place and its line on standard error; returns the exit status for the code. */
cli_exit cli_report_at(const cli_source *source, const opac_error *error);
/* An opac_notice_callback, the context being a cli_source: a note, unless --quiet. */
void cli_notice(void *source, uint32_t line, uint32_t column, const char *text);
/* A warning, unless --quiet. */
void cli_warn(const cli_source *source, uint32_t line, uint32_t column, const char *text);

/* How messages call a file: "-" is "<stdin>". */
const char *cli_file_name(const char *path);

/*
 * All of a file, or of standard input for "-", in a memory output that the
 * caller releases; more than a gibibyte is OPAC_ERROR_LIMIT. cancel may be NULL.
 */
opac_status cli_read_file(const char *path, const opac_cancel *cancel, opac_output **text,
                          opac_error *error);

/* A file read line by line as the lines come. */
typedef struct cli_lines {
    const char *path;
    FILE *stream;
    const opac_cancel *cancel;
    opac_output *line; /* the current one */
    uint32_t number;   /* of the current line, from 1 */
} cli_lines;

/* "-" is standard input. cancel may be NULL. */
opac_status cli_lines_open(cli_lines *lines, const char *path, const opac_cancel *cancel,
                           opac_error *error);
/*
 * The next line without its end (LF or CRLF) and, on the first one, without a
 * byte-order mark; NULL behind the last. It lives until the next call, and a
 * NUL follows it.
 */
opac_status cli_lines_next(cli_lines *lines, const char **text, size_t *length, opac_error *error);
void cli_lines_close(cli_lines *lines);

#endif
