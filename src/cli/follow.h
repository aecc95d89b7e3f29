/* SPDX-License-Identifier: MIT */
/*
 * Following a command at work: a line that rewrites itself, on a terminal, and
 * with -v a line for each thing that was done.
 */
#ifndef CLI_FOLLOW_H
#define CLI_FOLLOW_H

#include <omegapac/progress.h>

#include "cli/arguments.h"

/* A follower that draws; with -q there is none, and *progress is NULL. */
opac_status cli_follow(const cli_arguments *arguments, opac_progress_callback draw, void *context,
                       opac_progress **progress, opac_error *error);

/* The usual way to draw; its context are the arguments. */
void cli_follow_draw(void *arguments, const opac_progress_report *report);

/* What another way to draw calls at its end: says what was done, if it is, and if -v asks for it. */
void cli_follow_tell(const cli_arguments *arguments, const opac_progress_report *report);

#endif
