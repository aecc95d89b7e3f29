/* SPDX-License-Identifier: MIT */
/* Lines of text and members of JSON that the results of several commands have. */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include <omegapac/json.h>
#include <omegapac/model.h>
#include <omegapac/policy.h>

enum {
    CLI_KEY_WIDTH = 19
};

/* Of probabilities that are computed up to 1e-6 of their size, when they are compared. */
#define CLI_TOLERANCE 2e-6

/* What is said where the model is known, and is not as was promised. */
#define CLI_CONTRADICTION                                                                          \
    "this is not what is promised above: something that is assumed there is not so, or this is "   \
    "one of the runs that the confidence leaves"

/* The key of a line of text, padded: all lines of a result are aligned so. */
void cli_write_key(opac_output *out, const char *key);
/* A text from outside, its odd bytes escaped, and cut where it is long. */
void cli_write_shown(opac_output *out, const char *text);
/* A path, likewise, but whole: somebody will want to open it. */
void cli_write_path(opac_output *out, const char *path);
/* "1 state", "2 states". */
void cli_write_count(opac_output *out, uint64_t count, const char *noun);
/* A key and a text of any length, broken between words, each line as far in as the first. */
void cli_write_wrapped(opac_output *out, const char *key, const char *text);
/* The line "model              mdp, 6 states". */
void cli_write_model(opac_output *out, const opac_model *model);
/* The line "policy             9 decisions, 2 memory values". */
void cli_write_policy(opac_output *out, const opac_policy *policy);

void cli_echo_number(opac_json *json, const char *key, uint64_t number);
void cli_echo_double(opac_json *json, const char *key, double value);
void cli_echo_text(opac_json *json, const char *key, const char *text);
/* In microseconds: more digits say nothing. */
void cli_echo_seconds(opac_json *json, const char *key, double seconds);
/* The members "state" and, if the model has variables, "values". */
void cli_echo_state(opac_json *json, const opac_model *model, uint32_t state);

#endif
