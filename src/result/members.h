/* SPDX-License-Identifier: MIT */
/* Members of a result's JSON that those of several commands have. */
#ifndef RESULT_MEMBERS_H
#define RESULT_MEMBERS_H

#include <omegapac/automaton.h>
#include <omegapac/bound.h>
#include <omegapac/evaluation.h>
#include <omegapac/json.h>
#include <omegapac/model.h>
#include <omegapac/policy.h>
#include <omegapac/result.h>

#include "base/json_read.h"

/* How far numbers that are known up to 1e-6 of their size may be apart and be the same. */
#define RESULT_TOLERANCE 2e-6

void result_put_uint(opac_json *json, const char *key, uint64_t number);
void result_put_double(opac_json *json, const char *key, double value); /* NAN: null */
void result_put_bool(opac_json *json, const char *key, bool value);
/* The member true, or none: most flags are seldom set. */
void result_put_flag(opac_json *json, const char *key, bool value);
void result_put_text(opac_json *json, const char *key, const char *text); /* NULL: null */
void result_put_count(opac_json *json, const char *key, const opac_count *count);
/* Rounded to microseconds, the resolution of the clock. */
void result_put_seconds(opac_json *json, const char *key, double seconds);
/* Bytes of an output to memory. */
void result_put_bytes(opac_json *json, const char *key, opac_output *bytes);
/* value, lower, upper and, unless it is NULL, exact. */
void result_put_interval(opac_json *json, opac_interval interval, const char *fraction);
/* state and, if the model has variables, values. */
void result_put_state(opac_json *json, const opac_model *model, uint32_t state);
/*
 * A member whose text is written piece by piece: what is put into the output becomes the text when it is
 * closed. NULL: memory is short, which result_end tells.
 */
opac_output *result_open_text(opac_json *json);
void result_close_text(opac_json *json, const char *key, opac_output *text);
/* What a function writes of an automaton, as a text. */
void result_put_written(opac_json *json, const char *key, const opac_automaton *automaton,
                        void (*write)(const opac_automaton *automaton, opac_output *out));
/* The member automaton, as HOA text. */
void result_put_automaton(opac_json *json, const opac_automaton *automaton);
/* The model's name, if the source has one. */
void result_put_name(opac_json *json, const opac_result_source *source);
/* type and states of a model. */
void result_put_model(opac_json *json, const opac_model *model);
/* decisions and memory (its values) of a policy. */
void result_put_policy_sizes(opac_json *json, const opac_policy *policy);
/* What was found for one of the initial states: the members of an object that is open. */
typedef void (*result_initial_writer)(opac_json *json, const void *found, uint32_t index);
/* The member initial, with an object for each of several initial states; none where there is one. */
void result_put_initial(opac_json *json, const opac_model *model, result_initial_writer writer,
                        const void *found);
/* read_seconds and seconds, where the source asks for times. */
void result_put_times(opac_json *json, const opac_result_source *source, double seconds);
/* A copy of a value of another document. */
void result_put_value(opac_json *json, base_json_value value);

#endif
