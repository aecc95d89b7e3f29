/* SPDX-License-Identifier: MIT */
/* Prints results on standard output or to a file, and errors in one line. Used by every command. */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include <signal.h>

#include <omegapac/output.h>
#include <omegapac/result.h>

#include "cli/arguments.h"

/*
 * Appends the option of this command that the error is about: "; --max-states allows more". cli_report and
 * cli_report_at call it.
 */
void cli_advise(const cli_command *command, opac_error *error);

/* Appended by cli_advise if a simulator does not answer. */
#define CLI_ADVICE_TIMEOUT "; if the simulator is slow, increase --env-timeout"

/* Prints "omegapac bound: message" to standard error; returns the exit status for the code. */
cli_exit cli_report(const cli_command *command, const opac_error *error);

/* Appends or prepends a text to the message of an error, which is truncated at its end if it is too long. */
void cli_append(opac_error *error, const char *text);
void cli_prepend(opac_error *error, const char *text);

/* The exit status for a code. */
cli_exit cli_exit_for(opac_status status);

/*
 * The source of a result made from this command line. It is brief unless --json is given, and has no times
 * with --no-timing. The caller may change the source before it is used.
 */
typedef struct cli_frame {
    const cli_arguments *arguments;
    opac_result_source source;
    opac_output *params; /* owns source.params */
    opac_result *result; /* made by the caller from the source; freed by closing */
} cli_frame;

/* except: an option that is not one of the params, because the result has it elsewhere. */
opac_status cli_frame_open(cli_frame *frame, const cli_arguments *arguments, cli_option_id except,
                           opac_error *error);
void cli_frame_close(cli_frame *frame);
/*
 * If `made` is OPAC_OK, cli_frame_print prints the result as text or JSON to standard output or,
 * atomically, to -o FILE, and cli_frame_put writes it to `out`. Both close the frame in any case: return
 * cli_frame_print(&frame, opac_result_of_…(…, &frame.result, error), error).
 */
opac_status cli_frame_print(cli_frame *frame, opac_status made, opac_error *error);
opac_status cli_frame_put(cli_frame *frame, opac_status made, opac_output *out, opac_error *error);

/* Write the result to `out`: as a line of JSON, or as text or JSON depending on --json. */
void cli_put_json(const opac_result *result, opac_output *out);
opac_status cli_put_result(const cli_arguments *arguments, const opac_result *result,
                           opac_output *out, opac_error *error);

/*
 * Blocks SIGINT, SIGTERM and SIGHUP while a regular file is being replaced, so that a signal leaves no
 * temporary file. Pipes and devices are excluded, because writing to them may block. Restore `before` with
 * sigprocmask.
 */
void cli_signals_hold(const char *path, sigset_t *before);

/* Writes a file atomically, or to standard output if the path is NULL or "-". */
opac_status cli_write_output(const char *path, const char *bytes, size_t length, opac_error *error);

/*
 * The output of several results: each is written to standard output at once, or all are written to a file,
 * atomically, at the end.
 */
typedef struct cli_sink {
    const char *path; /* NULL for standard output */
    opac_output *out; /* the output being written */
    bool is_held;     /* collected in memory, although for standard output, to be coloured */
} cli_sink;

/* path: the value of -o; NULL and "-" are standard output. Borrowed. */
void cli_sink_init(cli_sink *sink, const char *path);
/* Sets *out to the output for the next result. */
opac_status cli_sink_begin(cli_sink *sink, opac_output **out, opac_error *error);
/* Ends a result. */
opac_status cli_sink_end(cli_sink *sink, opac_error *error);
/* Ends all results: writes the file, even if it is empty. */
opac_status cli_sink_commit(cli_sink *sink, opac_error *error);
/* Without a commit before, the file is left unchanged. */
void cli_sink_fini(cli_sink *sink);

#endif
