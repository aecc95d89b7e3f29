/* SPDX-License-Identifier: MIT */
/* Lines of text that are common to the results of several commands. */
#ifndef RESULT_LINES_H
#define RESULT_LINES_H

#include <stdint.h>

#include <omegapac/output.h>
#include <omegapac/result.h>

#include "base/json_read.h"

/* The key of a line, padded to OPAC_KEY_WIDTH. */
void result_line_key(opac_output *out, const char *key);
/* A key and a text, wrapped between words and indented as the first line, with unprintable bytes escaped.
 * Writes nothing if the text is NULL. */
void result_line_wrapped(opac_output *out, const char *key, const char *text);
/* A key and a text from a user, with unprintable bytes escaped, truncated if it is long. */
void result_line_shown(opac_output *out, const char *key, const char *text);
/* A key and a path or a message, escaped but never truncated, so that it can be copied. */
void result_line_path(opac_output *out, const char *key, const char *path);
/* "model   dtmc, 5 states" from the inputs, or "simulator   NAME" if they have no type. */
void result_line_model(opac_output *out, base_json_value inputs);
/* The assumptions of a guarantee from index `first` on, and what was tested. */
void result_lines_assumptions(opac_output *out, base_json_value guarantee, size_t first);
/* A warning if the value computed from the model contradicts the guarantee. */
void result_line_contradiction(opac_output *out, base_json_value truth);
/* A key and a duration; nothing if it is NAN. */
void result_line_seconds(opac_output *out, const char *key, double seconds);

/* "9 decisions, 2 memory values"; without the latter if memory is 0, which stands for unknown. */
void result_line_policy(opac_output *out, uint64_t decisions, uint64_t memory);
/* "from x=1: 0.5 [0.5, 0.5]" for each of several initial states, each followed by the remark. */
void result_lines_initial(opac_output *out, base_json_value found, const char *remark);
/* A line if the member `precise` is false. */
void result_line_precision(opac_output *out, base_json_value found);

/* A text from a user within a line, escaped and truncated. */
void result_show(opac_output *out, const char *text);
/* "name": text, or the text alone if the name is NULL. */
void result_show_named(opac_output *out, const char *name, const char *text);
void result_show_path(opac_output *out, const char *path);
/* "1 state", "2 states". */
void result_show_count(opac_output *out, uint64_t count, const char *noun);
/* "x=1, done=true" from the member values, or the number of the state without it. */
void result_show_state(opac_output *out, base_json_value state);
/* As opac_number_format and its variants, with "unknown" for NAN. The buffer has OPAC_NUMBER_SIZE bytes. */
const char *result_format_number(double value, char *buffer);
const char *result_format_down(double value, int digits, char *buffer);
const char *result_format_up(double value, int digits, char *buffer);
/* A number with 6 digits, or with all of them where 6 would round it to 0 or 1. */
void result_show_number(opac_output *out, double value);

/* "0.25 [0.249, 0.251]" from value, lower and upper, or "1/4" from exact. */
void result_show_interval(opac_output *out, base_json_value interval);
/* A line with the value in decimals, if result_show_interval shows a fraction. */
void result_line_decimal(opac_output *out, base_json_value interval);

#endif
