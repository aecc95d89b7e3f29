/* SPDX-License-Identifier: MIT */
/* Probabilities with their enclosures, in words and in JSON. */
#ifndef CLI_INTERVALS_H
#define CLI_INTERVALS_H

#include <omegapac/evaluation.h>
#include <omegapac/json.h>

/*
 * "0.25 [0.2499, 0.2501]", the ends rounded outward to the digits that matter;
 * or, when there is a fraction, that alone: "1/4". fraction may be NULL.
 */
void cli_interval_write(opac_interval interval, const char *fraction, opac_output *out);
/* The members value, lower, upper and, when there is a fraction, exact. */
void cli_interval_echo(opac_interval interval, const char *fraction, opac_json *json);

/* A line "decimal            0.25" behind a result that is a fraction; nothing when it is none. */
void cli_interval_write_decimal(opac_interval interval, const char *fraction, opac_output *out);

/* A line that says that the enclosure is too wide; who writes it exits with CLI_EXIT_UNGUARANTEED. */
void cli_interval_write_wide(opac_output *out);

#endif
