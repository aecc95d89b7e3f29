/* SPDX-License-Identifier: MIT */
/*
 * The output of traces, shared by command_simulate.c (models) and command_simulate_steps.c (simulators).
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
/* Whether to stop sampling: a request to stop, or a failed write (such as a full disk). */
bool cli_traces_are_over(const cli_traces *traces);
/* A request to stop may also make a write fail; the error is then OPAC_ERROR_CANCELLED. */
opac_status cli_traces_close(cli_traces *traces, opac_error *error);
/* The number of decimal digits of a number. */
int cli_traces_digits(uint64_t number);

/* Runs the command if MODEL is a simulator. */
cli_exit cli_simulate_steps(const cli_arguments *arguments);

#endif
