/* SPDX-License-Identifier: MIT */
/* JSON members that are common to the results of several commands. */
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

/* Relative difference below which two values with a relative error of 1e-6 count as equal. */
#define RESULT_TOLERANCE 2e-6

void result_put_uint(opac_json *json, const char *key, uint64_t number);
void result_put_double(opac_json *json, const char *key, double value); /* null if NAN */
void result_put_bool(opac_json *json, const char *key, bool value);
/* Writes the member only if it is true. */
void result_put_flag(opac_json *json, const char *key, bool value);
void result_put_text(opac_json *json, const char *key, const char *text); /* null if NULL */
void result_put_count(opac_json *json, const char *key, const opac_count *count);
/* Rounded to microseconds. */
void result_put_seconds(opac_json *json, const char *key, double seconds);
/* The bytes of an output to memory, as a string. */
void result_put_bytes(opac_json *json, const char *key, opac_output *bytes);
/* The members value, lower, upper and, unless the fraction is NULL, exact. */
void result_put_interval(opac_json *json, opac_interval interval, const char *fraction);
/* The members state and, if the model has variables, values. */
void result_put_state(opac_json *json, const opac_model *model, uint32_t state);
/*
 * A string member that is written piece by piece into the output returned, until it is closed. Returns
 * NULL if memory is exhausted; result_end then fails.
 */
opac_output *result_open_text(opac_json *json);
void result_close_text(opac_json *json, const char *key, opac_output *text);
/* A string member with what `write` writes of an automaton. */
void result_put_written(opac_json *json, const char *key, const opac_automaton *automaton,
                        void (*write)(const opac_automaton *automaton, opac_output *out));
/* The member automaton, as HOA text. */
void result_put_automaton(opac_json *json, const opac_automaton *automaton);
/* The member model, if the source names it. */
void result_put_name(opac_json *json, const opac_result_source *source);
/* The members type and states of a model. */
void result_put_model(opac_json *json, const opac_model *model);
/* The members decisions and memory (number of memory values) of a policy. */
void result_put_policy_sizes(opac_json *json, const opac_policy *policy);
/* Writes the members for one initial state into the open object. */
typedef void (*result_initial_writer)(opac_json *json, const void *found, uint32_t index);
/* The member initial, with an object for each initial state; omitted if there is only one. */
void result_put_initial(opac_json *json, const opac_model *model, result_initial_writer writer,
                        const void *found);
/* The members read_seconds and seconds, if the result contains times. */
void result_put_times(opac_json *json, const opac_result_source *source, double seconds);
/* A copy of a value of another document. */
void result_put_value(opac_json *json, base_json_value value);

#endif
