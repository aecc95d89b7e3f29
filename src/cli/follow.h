/* SPDX-License-Identifier: MIT */
/*
 * Shows the progress of a command: a progress line on a terminal and, with -v, a line for each completed
 * phase.
 */
#ifndef CLI_FOLLOW_H
#define CLI_FOLLOW_H

#include <omegapac/progress.h>

#include "cli/arguments.h"

/* Makes a progress object with a callback; with -q, *progress is NULL. */
opac_status cli_follow(const cli_arguments *arguments, opac_progress_callback draw, void *context,
                       opac_progress **progress, opac_error *error);

/* The default callback; its context is the cli_arguments. */
void cli_follow_draw(void *arguments, const opac_progress_report *report);

/* Called at the end of other callbacks: with -v, prints the phase and its duration when it is completed. */
void cli_follow_report(const cli_arguments *arguments, const opac_progress_report *report);

#endif
