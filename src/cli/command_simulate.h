/* SPDX-License-Identifier: MIT */
/*
 * What command_simulate.c, traces through a model, and command_simulate_steps.c, through a simulator, share: where
 * the lines go.
 */
#ifndef CLI_COMMAND_SIMULATE_H
#define CLI_COMMAND_SIMULATE_H

#include <omegapac/output.h>

#include "cli/models.h"

typedef struct cli_traces {
    const cli_model *model;
    opac_output *out;
    bool to_stream; /* standard output */
} cli_traces;

opac_status cli_traces_open(cli_traces *traces, const cli_model *model, opac_error *error);
/* A full disk ends the walk soon, not after the last of a billion steps. */
bool cli_traces_are_over(const cli_traces *traces);
/* A request to stop interrupts a write, too: then that is the news, not the failed write. */
opac_status cli_traces_close(cli_traces *traces, opac_error *error);
/* How many digits a number has. */
int cli_traces_digits(uint64_t number);

/* The command, when MODEL is a simulator. */
cli_exit cli_simulate_steps(const cli_arguments *arguments);

#endif
