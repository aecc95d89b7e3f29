/* SPDX-License-Identifier: MIT */
/* Lines of text that the results of several commands have. */
#ifndef RESULT_LINES_H
#define RESULT_LINES_H

#include <stdint.h>

#include <omegapac/output.h>
#include <omegapac/result.h>

#include "base/json_read.h"

/* The key of a line, padded: all lines of a result are aligned so. */
void result_line_key(opac_output *out, const char *key);
/* A key and a text of any length, broken between words, each line as far in as the first, its odd bytes
 * escaped. None if it is NULL. */
void result_line_wrapped(opac_output *out, const char *key, const char *text);
/* A key and a text from outside, its odd bytes escaped, and cut where it is long. */
void result_line_shown(opac_output *out, const char *key, const char *text);
/* A key and a path or a message, likewise, but whole, so that it can be opened. */
void result_line_path(opac_output *out, const char *key, const char *path);
/* "dtmc, 5 states" of the type and states of the inputs; without a type, the name of a simulator. */
void result_line_model(opac_output *out, base_json_value inputs);
/* What a guarantee assumes, from an item on, and what was tested. */
void result_lines_assumptions(opac_output *out, base_json_value guarantee, size_t first);
/* That the truth contradicts what is promised; none if it does not. */
void result_line_contradiction(opac_output *out, base_json_value truth);
/* A key and a duration; none if it is not known (NAN). */
void result_line_seconds(opac_output *out, const char *key, double seconds);

/* "9 decisions, 2 memory values"; memory 0: it is not known. */
void result_line_policy(opac_output *out, uint64_t decisions, uint64_t memory);
/* "from x=1: 0.5 [0.5, 0.5]" of each of several initial states; a remark follows each interval. */
void result_lines_initial(opac_output *out, base_json_value found, const char *remark);
/* That the precision was not reached, where the member precise says so. */
void result_line_precision(opac_output *out, base_json_value found);

/* Texts from outside, as above, within a line. */
void result_show(opac_output *out, const char *text);
/* A text with a name, "name": text; without one (NULL), the text alone. */
void result_show_named(opac_output *out, const char *name, const char *text);
void result_show_path(opac_output *out, const char *path);
/* "1 state", "2 states". */
void result_show_count(opac_output *out, uint64_t count, const char *noun);
/* "x=1, done=true", or the number of the state, of an object with state and perhaps values. */
void result_show_state(opac_output *out, base_json_value state);
/* A number in a buffer of OPAC_NUMBER_SIZE, as opac_number_format and its variants write it; "unknown" for NAN. */
const char *result_format_number(double value, char *buffer);
const char *result_format_down(double value, int digits, char *buffer);
const char *result_format_up(double value, int digits, char *buffer);
/* A number with few digits, but never 0 or 1 for one that is neither. */
void result_show_number(opac_output *out, double value);

/* "0.25 [0.249, 0.251]" or "1/4", of an object with value, lower, upper and perhaps exact. */
void result_show_interval(opac_output *out, base_json_value interval);
/* The same number in decimals, on a line of its own, where it was shown as a fraction. */
void result_line_decimal(opac_output *out, base_json_value interval);

#endif
