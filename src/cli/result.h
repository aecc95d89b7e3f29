/* SPDX-License-Identifier: MIT */
/* How every command reports: a result on standard output or in a file, errors in one line. */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include <signal.h>

#include <omegapac/output.h>

#include "cli/arguments.h"

/* One line "omegapac bound: message" on standard error; returns the exit status for the code. */
cli_exit cli_report(const cli_command *command, const opac_error *error);

/* Puts a text before the message of an error; what no longer fits is cut from its end. */
void cli_prepend(opac_error *error, const char *text);

/* The exit status for a code. */
cli_exit cli_exit_for(opac_status status);

/* Writes a result into `out`, as text or JSON. */
typedef void (*cli_writer)(const void *result, const cli_arguments *arguments, opac_output *out);

/* Writes the result, in the form asked for, to standard output or -o FILE, whole or not at all. */
cli_exit cli_write_result(const cli_arguments *arguments, const void *result, cli_writer text,
                          cli_writer json);

/*
 * While a file is being replaced, a request to stop waits: it then finds the
 * file whole and no temporary one beside it. Not so for pipes and devices,
 * which may keep us waiting for ever. `before` is for sigprocmask to restore.
 */
void cli_signals_hold(const char *path, sigset_t *before);

/* Writes a file, whole or not at all; path NULL or "-": to standard output. */
opac_status cli_deliver(const char *path, const char *bytes, size_t length, opac_error *error);

/*
 * Where a stream of results goes: to standard output each at once, or to a file
 * all together at the end, whole or not at all.
 */
typedef struct cli_sink {
    const char *path; /* NULL: standard output */
    opac_output *out; /* what is being written */
    bool is_held;     /* in memory, though it goes to standard output: for colours */
} cli_sink;

/* path: as given to -o, so NULL and "-" are standard output; borrowed. */
void cli_sink_init(cli_sink *sink, const char *path);
/* Where to write the next result. */
opac_status cli_sink_begin(cli_sink *sink, opac_output **out, opac_error *error);
/* The result is written. */
opac_status cli_sink_end(cli_sink *sink, opac_error *error);
/* All results are written: the file appears, also an empty one. */
opac_status cli_sink_commit(cli_sink *sink, opac_error *error);
/* Without a commit before it, the file is left as it was. */
void cli_sink_fini(cli_sink *sink);

/* The members that open each JSON result: schema, command, version; inputs and params follow. */
void cli_begin_result(opac_json *json, const cli_arguments *arguments);

#endif
