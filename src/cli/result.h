/* SPDX-License-Identifier: MIT */
/* How every command reports: a result on standard output or in a file, errors in one line. */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include <signal.h>

#include <omegapac/output.h>
#include <omegapac/result.h>

#include "cli/arguments.h"

/*
 * Appends how the user of this command sets what the error is about: "; --max-states allows more".
 * cli_report and cli_report_at do it; others who show a message do it before.
 */
void cli_advise(const cli_command *command, opac_error *error);

/* What cli_advise appends about a simulator that does not answer. */
#define CLI_ADVICE_TIMEOUT "; if it is only slow, a larger --env-timeout gives it more time"

/* One line "omegapac bound: message" on standard error; returns the exit status for the code. */
cli_exit cli_report(const cli_command *command, const opac_error *error);

/* Puts a text before the message of an error; what no longer fits is cut from its end. */
void cli_append(opac_error *error, const char *text);
void cli_prepend(opac_error *error, const char *text);

/* The exit status for a code. */
cli_exit cli_exit_for(opac_status status);

/*
 * What a result of the library says of this command line. It is brief unless --json is given, and has
 * no times with --no-timing. The caller may change the source before it is used.
 */
typedef struct cli_frame {
    const cli_arguments *arguments;
    opac_result_source source;
    opac_output *params; /* what source.params points to */
    opac_result *result; /* the caller makes it, with the source; closing frees it */
} cli_frame;

/* but: an option that is not among the params, since the result has it elsewhere. */
opac_status cli_frame_open(cli_frame *frame, const cli_arguments *arguments, cli_option_id but,
                           opac_error *error);
void cli_frame_close(cli_frame *frame);
/*
 * Closes the frame, and before, where its result was made, prints it as text or JSON, to standard output
 * or -o FILE, whole or not at all; or puts it into `out` (cli_put_result):
 * return cli_frame_print(&frame, opac_result_of_…(…, &frame.result, error), error).
 */
opac_status cli_frame_print(cli_frame *frame, opac_status made, opac_error *error);
opac_status cli_frame_put(cli_frame *frame, opac_status made, opac_output *out, opac_error *error);

/* Writes the result into `out`, as a line of JSON; and as text or JSON, as asked for. */
void cli_put_json(const opac_result *result, opac_output *out);
opac_status cli_put_result(const cli_arguments *arguments, const opac_result *result,
                           opac_output *out, opac_error *error);

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

#endif
