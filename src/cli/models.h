/* SPDX-License-Identifier: MIT */
/*
 * Shared by commands with a MODEL operand: its options, loading the model, and the messages about it.
 *
 *     cli_model m;
 *     status = cli_model_begin(&m, arguments, &error);
 *     if (status == OPAC_OK)
 *         status = cli_model_load(&m, path, &error);
 *     …
 *     exit = status == OPAC_OK ? CLI_EXIT_DONE : cli_model_report(&m, &error);
 *     cli_model_end(&m);
 */
#ifndef CLI_MODELS_H
#define CLI_MODELS_H

#include <omegapac/environment.h>
#include <omegapac/model.h>

#include "cli/arguments.h"

typedef struct cli_model {
    const cli_arguments *arguments;
    const char *name;            /* in messages about a text without a path */
    opac_constants *constants;   /* of -D */
    opac_cancel *cancel;         /* Ctrl-C requests to stop */
    opac_progress *progress;     /* NULL with --quiet */
    opac_model_options options;  /* made from the members above */
    bool is_reported;            /* an error was printed with its place */
    opac_model *model;           /* NULL before cli_model_load, and for a simulator */
    opac_environment *simulator; /* NULL for a model; borrowed (simulators.h) */
    double seconds;              /* time to load it */
} cli_model;

/* From this call on, signals are requests to stop. cli_model_end must be called even if it fails. */
opac_status cli_model_begin(cli_model *m, const cli_arguments *arguments, opac_error *error);
void cli_model_end(cli_model *m);

/*
 * Reads the model at a path, or from standard input for -. The format is that of --from, of the suffix, or
 * of the first bytes.
 */
opac_status cli_model_load(cli_model *m, const char *path, opac_error *error);
/* The same from a text that has been read before. */
opac_status cli_model_load_text(cli_model *m, const char *path, const char *text, size_t length,
                                opac_error *error);

/* Fails if a -D names a constant that no file defines. Must be called when all files have been read. */
opac_status cli_model_check_constants(const cli_model *m, opac_error *error);

/* An opac_listener whose context is a cli_model: errors, and warnings unless --quiet. */
void cli_model_listen(void *m, const opac_message *message);

/* Prints the error, unless it was already shown with its position. Returns the exit status for its code. */
cli_exit cli_model_report(cli_model *m, opac_error *error);

/* Whether a path has the suffix of an automaton. */
bool cli_is_automaton(const char *path);

#endif
