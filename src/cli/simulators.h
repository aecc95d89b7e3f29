/* SPDX-License-Identifier: MIT */
/*
 * Opens simulators, exec:COMMAND or plugin:FILE.so, given as MODEL to learn, estimate and simulate. For other
 * commands cli_model_load refuses them.
 *
 *     status = cli_is_simulator(arguments) ? cli_simulator_open(&m, &environment, &error)
 *                                          : cli_model_load(&m, path, &error);
 */
#ifndef CLI_SIMULATORS_H
#define CLI_SIMULATORS_H

#include <omegapac/environment.h>
#include <omegapac/output.h>

#include "cli/models.h"

/* Whether the first operand is a simulator. */
bool cli_is_simulator(const cli_arguments *arguments);

/*
 * Opens the simulator and sets m->simulator, which borrows it. Refuses options that only apply to model
 * files. Free the environment before cli_model_end, because it uses the cancel handle of the model.
 */
opac_status cli_simulator_open(cli_model *m, opac_environment **environment, opac_error *error);

/* Fails if the file looks like a program or a library, with a message how to give it as a simulator. */
opac_status cli_simulator_check_path(const cli_arguments *arguments, const char *path,
                                     opac_error *error);
/* Reports that a simulator was given to a command that requires a model. */
opac_status cli_simulator_refuse(const cli_arguments *arguments, const char *path,
                                 opac_error *error);

/* Prints to standard error that --max-memory ended the run. */
void cli_report_memory_limit(const cli_model *m);

#endif
