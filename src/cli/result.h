/* SPDX-License-Identifier: MIT */
/* How every command reports: a result on standard output or in a file, errors in one line. */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include <omegapac/output.h>

#include "cli/arguments.h"

/* One line "omegapac bound: message" on standard error; returns the exit status for the code. */
cli_exit cli_report(const cli_command *command, const opac_error *error);

/* Writes a result into `out`, as text or JSON. */
typedef void (*cli_writer)(const void *result, const cli_arguments *arguments, opac_output *out);

/* Writes the result, in the form asked for, to standard output or -o FILE, whole or not at all. */
cli_exit cli_write_result(const cli_arguments *arguments, const void *result, cli_writer text,
                          cli_writer json);

/* The members that open each JSON result: schema, command, version, params. */
void cli_begin_result(opac_json *json, const cli_arguments *arguments);

#endif
