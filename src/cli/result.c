/* SPDX-License-Identifier: MIT */
/* Prints results and errors. */
#include "cli/result.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/colour.h"
#include "cli/help.h"
#include "cli/interrupt.h"

cli_exit cli_exit_for(opac_status status)
{
    switch (status) {
    case OPAC_OK:
        return CLI_EXIT_DONE;
    case OPAC_ERROR_MEMORY:
    case OPAC_ERROR_LIMIT:
    case OPAC_ERROR_INTERNAL:
        return CLI_EXIT_RESOURCE;
    case OPAC_ERROR_SIMULATOR:
        return CLI_EXIT_SIMULATOR;
    case OPAC_ERROR_CANCELLED:
        return cli_interrupt_exit();
    default:
        return CLI_EXIT_USAGE;
    }
}

void cli_prepend(opac_error *error, const char *text)
{
    enum {
        MOST = OPAC_MESSAGE_SIZE - 1
    };
    size_t before = strlen(text), length = strlen(error->message);
    if (before > MOST)
        before = MOST;
    if (length > MOST - before) {
        length = MOST - before;
        while (length > 0 && ((unsigned char)error->message[length] & 0xC0) == 0x80)
            length--; /* do not cut within a character */
    }
    memmove(error->message + before, error->message, length);
    memcpy(error->message, text, before);
    error->message[before + length] = '\0';
}

void cli_append(opac_error *error, const char *text)
{
    size_t length = strlen(error->message);
    snprintf(error->message + length, sizeof error->message - length, "%s", text);
}

cli_exit cli_report(const cli_command *command, const opac_error *error)
{
    /* After a signal the place is not relevant; at the time limit it is. */
    bool stopped = error->code == OPAC_ERROR_CANCELLED && !cli_interrupt_is_late();
    opac_error advised = *error;
    if (error->code == OPAC_ERROR_CANCELLED && !stopped)
        advised.parameter = "max_seconds";
    cli_advise(command, &advised);
    fprintf(stderr, "%s%s%s%s:%s %s\n", cli_style_code(stderr, stopped ? CLI_STRONG : CLI_BAD),
            CLI_PROGRAM, command != NULL ? " " : "", command != NULL ? command->name : "",
            cli_style_code(stderr, CLI_PLAIN), stopped ? "stopped" : advised.message);
    return cli_exit_for(error->code);
}

void cli_signals_hold(const char *path, sigset_t *before)
{
    struct stat status;
    sigset_t held;
    sigemptyset(&held);
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) {
        sigaddset(&held, SIGINT);
        sigaddset(&held, SIGTERM);
        sigaddset(&held, SIGHUP);
    }
    sigprocmask(SIG_BLOCK, &held, before);
}

typedef void (*delivery)(const char *bytes, size_t length, opac_output *out);

static void deliver_plain(const char *bytes, size_t length, opac_output *out)
{
    opac_output_write(out, bytes, length);
}

static opac_status write_to(opac_output *out, delivery how, const char *bytes, size_t length,
                            opac_error *error)
{
    how(bytes, length, out);
    opac_status status = opac_output_commit(out, error);
    opac_output_free(out);
    return status;
}

static opac_status deliver_to_stdout(const char *bytes, size_t length, opac_error *error)
{
    opac_output *out;
    TRY(opac_output_open_stream(stdout, &out, error));
    return write_to(out, cli_has_colour(stdout) ? cli_colour_result : deliver_plain, bytes, length,
                    error);
}

opac_status cli_write_output(const char *path, const char *bytes, size_t length, opac_error *error)
{
    opac_output *out;
    sigset_t before;
    opac_status status;
    if (path == NULL || strcmp(path, "-") == 0)
        return deliver_to_stdout(bytes, length, error);
    cli_signals_hold(path, &before);
    status = opac_output_open_file(path, &out, error);
    if (status == OPAC_OK)
        status = write_to(out, deliver_plain, bytes, length, error);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

void cli_sink_init(cli_sink *sink, const char *path)
{
    bool is_stdout = path == NULL || strcmp(path, "-") == 0;
    *sink = (cli_sink){.path = is_stdout ? NULL : path};
}

opac_status cli_sink_begin(cli_sink *sink, opac_output **out, opac_error *error)
{
    opac_status status = OPAC_OK;
    if (sink->out == NULL) {
        sink->is_held = sink->path == NULL && cli_has_colour(stdout);
        status = sink->path != NULL || sink->is_held
                     ? opac_output_open_memory(&sink->out, error)
                     : opac_output_open_stream(stdout, &sink->out, error);
    }
    *out = sink->out;
    return status;
}

opac_status cli_sink_end(cli_sink *sink, opac_error *error)
{
    const char *bytes = NULL;
    size_t length = 0;
    if (sink->path != NULL)
        return OPAC_OK;
    if (sink->is_held)
        bytes = opac_output_bytes(sink->out,
                                  &length); /* NULL if out of memory, which the commit reports */
    opac_status status = bytes != NULL ? deliver_to_stdout(bytes, length, error)
                                       : opac_output_commit(sink->out, error);
    cli_sink_fini(sink);
    return status;
}

opac_status cli_sink_commit(cli_sink *sink, opac_error *error)
{
    opac_output *out;
    size_t length;
    if (sink->path == NULL)
        return OPAC_OK;
    TRY(cli_sink_begin(sink, &out, error));
    const char *bytes = opac_output_bytes(out, &length);
    return bytes != NULL ? cli_write_output(sink->path, bytes, length, error)
                         : opac_output_commit(out, error);
}

void cli_sink_fini(cli_sink *sink)
{
    opac_output_free(sink->out);
    sink->out = NULL;
}
