/* SPDX-License-Identifier: MIT */
/*
 * What commands that take a MODEL share: its options, and the way from the
 * operand to the model, with everything that is said on that way.
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
    const char *name;            /* how messages call a text that has no path */
    opac_constants *constants;   /* of -D */
    opac_cancel *cancel;         /* requested by Ctrl-C */
    opac_progress *progress;     /* NULL with --quiet */
    opac_model_options options;  /* made of all of them */
    bool told;                   /* an error was shown where it is */
    opac_model *model;           /* NULL before cli_model_load, and with a simulator */
    opac_environment *simulator; /* NULL: it is a model; borrowed (simulators.h) */
    double seconds;              /* that loading took */
} cli_model;

/* From here on Ctrl-C is a request. cli_model_end is due in any case. */
opac_status cli_model_begin(cli_model *m, const cli_arguments *arguments, opac_error *error);
void cli_model_end(cli_model *m);

/*
 * Reads the model at a path, - being standard input, in the format of --from,
 * of its suffix, or of its first bytes.
 */
opac_status cli_model_load(cli_model *m, const char *path, opac_error *error);
/* The same from a text that was read already. */
opac_status cli_model_load_text(cli_model *m, const char *path, const char *text, size_t length,
                                opac_error *error);

/* Everything that may know constants was read: is there a -D that nothing knows? */
opac_status cli_model_check_constants(const cli_model *m, opac_error *error);

/* An opac_listener whose context is a cli_model: errors, and warnings unless --quiet. */
void cli_model_listen(void *m, const opac_message *message);

/* The error, unless it was shown where it is; returns the exit status for the code. */
cli_exit cli_model_report(cli_model *m, opac_error *error);

/* Whether a path has the suffix of an automaton. */
bool cli_is_automaton(const char *path);

#endif
