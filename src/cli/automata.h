/* SPDX-License-Identifier: MIT */
/* The options of commands that make automata. */
#ifndef CLI_AUTOMATA_H
#define CLI_AUTOMATA_H

#include <omegapac/automaton.h>

#include "cli/arguments.h"

/* By --kind, --acceptance, --state-based, --complete and --max-states. */
opac_status cli_automaton_options(const cli_arguments *arguments, const opac_cancel *cancel,
                                  opac_automaton_options *options, opac_error *error);

/*
 * Adds to an error of making an automaton what can be done about it on the
 * command line. deterministic: so is what it was made from.
 */
void cli_automaton_advise(const cli_arguments *arguments, bool deterministic, opac_error *error);

#endif
