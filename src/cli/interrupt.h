/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C while something long is computed: the computation is asked to stop,
 * so that the program ends in order, with the exit status of the signal.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <omegapac/cancel.h>

#include "cli/arguments.h"

/*
 * From here on SIGINT, SIGTERM and SIGHUP become requests on the handle; a second one
 * ends the program at once. A signal that was ignored before stays so. With
 * --max-seconds the handle has that deadline. Ends with cli_interrupt_end;
 * there is one at a time.
 */
opac_status cli_interrupt_begin(const cli_arguments *arguments, opac_cancel **cancel,
                                opac_error *error);
/* The signals are again what they were; releases the handle. Takes NULL. */
void cli_interrupt_end(opac_cancel *cancel);

/*
 * What waits for input from here on is interrupted when the time of --max-seconds is up, as by a
 * signal; until cli_interrupt_go_on, so that what waits for a reader of the output is not.
 */
void cli_interrupt_wait(void);
void cli_interrupt_go_on(void);

/* No signal came, but the time of --max-seconds is up. */
bool cli_interrupt_is_late(void);

/*
 * The exit status of what was stopped: 129, 130 or 143 for the signal that came, 5 when the time of
 * --max-seconds is up, and 130 otherwise.
 */
cli_exit cli_interrupt_exit(void);

#endif
