/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C while something long is computed: the computation is asked to stop,
 * so that the program ends in order, with the exit status of the signal.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <omegapac/cancel.h>

#include "cli/commands.h"

/*
 * From here on SIGINT and SIGTERM become requests on the handle; a second one
 * ends the program at once. A signal that was ignored before stays so. Ends
 * with cli_interrupt_end; there is one at a time.
 */
opac_status cli_interrupt_begin(opac_cancel **cancel, opac_error *error);
/* The signals are again what they were; releases the handle. Takes NULL. */
void cli_interrupt_end(opac_cancel *cancel);

/* The exit status for the signal that came: 130 or 143; 130 when none was caught. */
cli_exit cli_interrupt_exit(void);

#endif
