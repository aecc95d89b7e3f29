/* SPDX-License-Identifier: MIT */
/* Opens the simulators that opac_environment_open takes by name. */
#ifndef ENV_OPEN_H
#define ENV_OPEN_H

#include "env/env.h"

/* exec.c: starts a command that speaks the protocol of docs/formats/simulator.md. */
opac_status env_open_command(const char *command, const opac_environment_options *options,
                             opac_environment **environment, opac_error *error);

/* plugin.c: loads FILE.so, or FILE.so?TEXT with a text for the plugin. */
opac_status env_open_plugin(const char *file, opac_environment **environment, opac_error *error);

#endif
