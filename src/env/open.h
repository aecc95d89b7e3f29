/* SPDX-License-Identifier: MIT */
/* Simulators by name: what stands behind "exec:" and "plugin:" in opac_environment_open. */
#ifndef ENV_OPEN_H
#define ENV_OPEN_H

#include "env/env.h"

/* exec.c: a command that speaks the protocol of docs/formats/simulator.md. */
opac_status env_open_command(const char *command, const opac_environment_options *options,
                             opac_environment **environment, opac_error *error);

/* plugin.c: FILE.so or FILE.so?TEXT. */
opac_status env_open_plugin(const char *file, opac_environment **environment, opac_error *error);

#endif
