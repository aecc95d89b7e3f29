/* SPDX-License-Identifier: MIT */
/* Texts generated from the table: help, man pages and shell completions. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <omegapac/output.h>

#include "cli/commands.h"

#define CLI_PROGRAM "omegapac"
#define CLI_SUMMARY "learns policies for temporal-logic objectives, with a guarantee"

void cli_help_overview(opac_output *out);
void cli_help_command(const cli_command *command, opac_output *out);

/* man(7) pages in section 1: one for the program, and one for each subcommand. */
void cli_manual_overview(opac_output *out);
void cli_manual_command(const cli_command *command, opac_output *out);

void cli_completion_bash(opac_output *out);
void cli_completion_zsh(opac_output *out);

/* The shape "--epsilon E" or "-h, --help" of an option, in a buffer of 64 characters. */
const char *cli_option_shape(const cli_option *option, char *buffer);
/*
 * The parts of a usage line by index: operands, then options, with the members of a group together: "IN",
 * "[--json]", "(LTL | --file FILE)". Returns "" for an option within a group, and NULL at the end. The
 * buffer has 256 characters.
 */
const char *cli_usage_part(const cli_command *command, size_t index, char *buffer);
/* The words and the default of an option, as " (hoa or dot; default: hoa)"; the buffer has 192 characters. */
const char *cli_option_notes(const cli_command *command, cli_option_id id, char *buffer);
/* The help text of --, for commands with operands. */
extern const char cli_dashes_help[];

#endif
