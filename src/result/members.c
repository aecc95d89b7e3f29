/* SPDX-License-Identifier: MIT */
#include "result/members.h"

#include <math.h>

#include "base/output.h"
#include "result/document.h"
#include "result/result_read.h"

void result_put_uint(opac_json *json, const char *key, uint64_t number)
{
    opac_json_key(json, key);
    opac_json_uint(json, number);
}

void result_put_double(opac_json *json, const char *key, double value)
{
    opac_json_key(json, key);
    opac_json_double(json, value);
}

void result_put_bool(opac_json *json, const char *key, bool value)
{
    opac_json_key(json, key);
    opac_json_bool(json, value);
}

void result_put_flag(opac_json *json, const char *key, bool value)
{
    if (value)
        result_put_bool(json, key, true);
}

void result_put_text(opac_json *json, const char *key, const char *text)
{
    opac_json_key(json, key);
    if (text != NULL)
        opac_json_string(json, text);
    else
        opac_json_null(json);
}

void result_put_count(opac_json *json, const char *key, const opac_count *count)
{
    char text[OPAC_COUNT_SIZE];
    opac_json_key(json, key);
    opac_json_number(json, opac_count_text(count, text));
}

void result_put_seconds(opac_json *json, const char *key, double seconds)
{
    result_put_double(json, key, round(seconds * 1e6) / 1e6);
}

void result_put_bytes(opac_json *json, const char *key, opac_output *bytes)
{
    size_t length;
    const char *text = opac_output_bytes(bytes, &length);
    opac_json_key(json, key);
    opac_json_bytes(json, text, text == NULL ? 0 : length);
}

void result_put_interval(opac_json *json, opac_interval interval, const char *fraction)
{
    result_put_double(json, "value", interval.value);
    result_put_double(json, "lower", interval.lower);
    result_put_double(json, "upper", interval.upper);
    if (fraction != NULL)
        result_put_text(json, "exact", fraction);
}

void result_put_state(opac_json *json, const opac_model *model, uint32_t state)
{
    result_put_uint(json, "state", state);
    if (opac_model_variable_count(model) == 0)
        return;
    opac_json_key(json, "values");
    opac_model_write_values_json(model, state, json);
}

opac_output *result_open_text(opac_json *json)
{
    opac_output *text;
    opac_error error;
    opac_status status = opac_output_open_memory(&text, &error);
    if (status == OPAC_OK)
        return text;
    base_output_fail(json->out, status, error.message);
    return NULL;
}

void result_close_text(opac_json *json, const char *key, opac_output *text)
{
    if (opac_output_failed(text))
        base_output_fail(json->out, OPAC_ERROR_MEMORY, "out of memory");
    result_put_bytes(json, key, text);
    opac_output_free(text);
}

void result_put_written(opac_json *json, const char *key, const opac_automaton *automaton,
                        void (*write)(const opac_automaton *automaton, opac_output *out))
{
    opac_output *text = result_open_text(json);
    if (text == NULL)
        return;
    write(automaton, text);
    result_close_text(json, key, text);
}

void result_put_automaton(opac_json *json, const opac_automaton *automaton)
{
    result_put_written(json, "automaton", automaton, opac_automaton_write_hoa);
}

void result_put_name(opac_json *json, const opac_result_source *source)
{
    if (source != NULL && source->model != NULL)
        result_put_text(json, "model", source->model);
}

void result_put_model(opac_json *json, const opac_model *model)
{
    result_put_text(json, "type", opac_model_type_name(opac_model_get_type(model)));
    result_put_uint(json, "states", opac_model_states(model));
}

void result_put_policy_sizes(opac_json *json, const opac_policy *policy)
{
    result_put_uint(json, "decisions", opac_policy_decisions(policy));
    result_put_uint(json, "memory", opac_policy_memory(policy));
}

void result_put_initial(opac_json *json, const opac_model *model, result_initial_writer writer,
                        const void *found)
{
    if (opac_model_initial_count(model) == 1)
        return;
    opac_json_key(json, "initial");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < opac_model_initial_count(model); i++) {
        opac_json_begin_object(json);
        result_put_state(json, model, opac_model_initial(model, i));
        writer(json, found, i);
        opac_json_end_object(json);
    }
    opac_json_end_array(json);
}

void result_put_times(opac_json *json, const opac_result_source *source, double seconds)
{
    if (!result_has_times(source))
        return;
    result_put_seconds(json, "read_seconds", source->read_seconds);
    result_put_seconds(json, "seconds", seconds);
}

/* ---- copies ---- */

static void put_members(opac_json *json, base_json_value object)
{
    base_json_value member = {0};
    opac_json_begin_object(json);
    while (base_json_next(object, &member)) {
        opac_json_key(json, member.key);
        result_put_value(json, member);
    }
    opac_json_end_object(json);
}

static void put_items(opac_json *json, base_json_value array)
{
    opac_json_begin_array(json);
    for (size_t i = 0; i < result_count(array); i++)
        result_put_value(json, result_item(array, i));
    opac_json_end_array(json);
}

static void put_string(opac_json *json, base_json_value value)
{
    const char *text = "";
    size_t length = 0;
    (void)base_json_string(value, &text, &length, NULL);
    opac_json_bytes(json, text, length);
}

void result_put_value(opac_json *json, base_json_value value)
{
    const char *digits = "null";
    bool is_true = false;
    switch (base_json_kind_of(value)) {
    case BASE_JSON_OBJECT:
        put_members(json, value);
        break;
    case BASE_JSON_ARRAY:
        put_items(json, value);
        break;
    case BASE_JSON_STRING:
        put_string(json, value);
        break;
    case BASE_JSON_NUMBER:
        (void)base_json_number_text(value, &digits, NULL);
        opac_json_number(json, digits);
        break;
    case BASE_JSON_BOOL:
        (void)base_json_bool(value, &is_true, NULL);
        opac_json_bool(json, is_true);
        break;
    case BASE_JSON_NULL:
        opac_json_null(json);
        break;
    }
}
