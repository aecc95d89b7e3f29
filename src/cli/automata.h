/* SPDX-License-Identifier: MIT */
/* What commands that make automata share: their options, and how automata are written. */
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

/*
 * The members "result" (sizes, condition, properties), "stats" unless
 * --no-timing, and "automaton" (HOA). Fails only for want of memory.
 */
opac_status cli_automaton_echo(const opac_automaton *automaton, const cli_arguments *arguments,
                               double milliseconds, opac_json *json, opac_error *error);

/* The member "stats", unless --no-timing. */
void cli_stats_echo(const cli_arguments *arguments, double milliseconds, opac_json *json);

/* Milliseconds since some moment, to measure durations with. */
double cli_milliseconds(void);

#endif
