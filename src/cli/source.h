/* SPDX-License-Identifier: MIT */
/*
 * Texts with their source, and messages about places in them:
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

/* A text with a name. All members are borrowed. */
typedef struct cli_source {
    const cli_arguments *arguments; /* for the name of the command and --quiet */
    const char *name;               /* of the file; "formula" for an argument */
    uint32_t first_line;            /* line of the file where the text begins, from 1 */
    const char *text;
    size_t length;
} cli_source;

/* Prints an error with its place and its line to standard error; returns the exit status for the code. */
cli_exit cli_report_at(const cli_source *source, const opac_error *error);
/* An opac_notice_callback whose context is a cli_source: prints a note, unless --quiet. */
void cli_notice(void *source, uint32_t line, uint32_t column, const char *text);
/* Prints a warning, unless --quiet. */
void cli_warn(const cli_source *source, uint32_t line, uint32_t column, const char *text);

/* The name of a file in messages: "<stdin>" for "-". */
const char *cli_file_name(const char *path);

/*
 * Reads a file, or standard input for "-", into a memory output that the caller frees. Fails with
 * OPAC_ERROR_LIMIT beyond 1 GiB. cancel may be NULL.
 */
opac_status cli_read_file(const char *path, const opac_cancel *cancel, opac_output **text,
                          opac_error *error);

/* Reads a file line by line, as the lines arrive. */
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
 * Returns the next line without its end (LF or CRLF) and without a byte-order mark; NULL at the end of the
 * input. It is valid until the next call, and a NUL follows it.
 */
opac_status cli_lines_next(cli_lines *lines, const char **text, size_t *length, opac_error *error);
void cli_lines_close(cli_lines *lines);

#endif
