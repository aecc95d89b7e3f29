/* SPDX-License-Identifier: MIT */
/*
 * MODEL where it is a simulator, exec:COMMAND or plugin:FILE.so. Of the commands, learn, estimate,
 * simulate and env check take one; cli_model_load refuses it for all others.
 *
 *     status = cli_is_simulator(arguments) ? cli_simulator_open(&m, &environment, &error)
 *                                          : cli_model_load(&m, path, &error);
 */
#ifndef CLI_SIMULATORS_H
#define CLI_SIMULATORS_H

#include <omegapac/environment.h>
#include <omegapac/output.h>

#include "cli/models.h"

/* Whether the first operand is the name of one. */
bool cli_is_simulator(const cli_arguments *arguments);

/*
 * Opens it; m->simulator is it, too, borrowed. Options that only models have are refused. It ends
 * before cli_model_end, since it listens to the handle of Ctrl-C.
 */
opac_status cli_simulator_open(cli_model *m, opac_environment **environment, opac_error *error);

/* An error if a file is a program or a library by its looks, which says how it is given. */
opac_status cli_simulator_suspect(const cli_arguments *arguments, const char *path,
                                  opac_error *error);
/* What is given for a model is a simulator. */
opac_status cli_simulator_refuse(const cli_arguments *arguments, const char *path,
                                 opac_error *error);

/* On standard error: --max-memory has ended a run, whose result so far is told. */
void cli_simulator_tell_full(const cli_model *m);

#endif
