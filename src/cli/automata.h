/* SPDX-License-Identifier: MIT */
/* The options of commands that translate or convert automata. */
#ifndef CLI_AUTOMATA_H
#define CLI_AUTOMATA_H

#include <omegapac/automaton.h>

#include "cli/arguments.h"

/* Sets the options from --kind, --acceptance, --state-based, --complete and --max-states. */
opac_status cli_automaton_options(const cli_arguments *arguments, const opac_cancel *cancel,
                                  opac_automaton_options *options, opac_error *error);

/*
 * Adds advice to the error of a translation or conversion. deterministic: whether the source, a formula or an
 * automaton, is deterministic.
 */
void cli_automaton_advise(const cli_arguments *arguments, bool deterministic, opac_error *error);

#endif
