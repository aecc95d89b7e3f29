/* SPDX-License-Identifier: MIT */
/*
 * Turns signals into requests to stop a computation, so that the program ends in order, with the exit
 * status of the signal.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <omegapac/cancel.h>

#include "cli/arguments.h"

/*
 * From this call to cli_interrupt_end, SIGINT, SIGTERM and SIGHUP become requests on the handle; a second
 * signal ends the program at once. Signals that were ignored before remain ignored. --max-seconds sets the
 * deadline of the handle. Calls cannot be nested.
 */
opac_status cli_interrupt_begin(const cli_arguments *arguments, opac_cancel **cancel,
                                opac_error *error);
/* Restores the signals and releases the handle, which may be NULL. */
void cli_interrupt_end(opac_cancel *cancel);

/*
 * Between these two calls, a wait for input is interrupted at the time limit of --max-seconds, as by a
 * signal. A wait for a reader of the output is not.
 */
void cli_interrupt_begin_wait(void);
void cli_interrupt_end_wait(void);

/* Whether the time limit of --max-seconds was reached and no signal arrived. */
bool cli_interrupt_is_late(void);

/*
 * The exit status after a stop: 129, 130 or 143 for the signal that arrived, 5 at the time limit of
 * --max-seconds, and 130 otherwise.
 */
cli_exit cli_interrupt_exit(void);

#endif
