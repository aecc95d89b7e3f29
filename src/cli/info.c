/* SPDX-License-Identifier: MIT */
/* omegapac info: what a model is like, and how properties are read over it. */
#include "cli/info.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/quantity.h>
#include <omegapac/text.h>

#include "cli/lines.h"
#include "cli/result.h"

typedef struct description {
    const cli_model *model;
    opac_model_summary summary;
    cli_property_list *properties;
} description;

/* ---- text ---- */

enum {
    WIDTH = 80,
    MOST_ACTIONS = 20 /* whose names are listed */
};

/* A list of items, separated by commas and broken before the width. */
typedef struct items {
    opac_output *out;
    size_t column;
    bool any;
} items;

static items begin_items(opac_output *out, const char *key)
{
    cli_write_key(out, key);
    return (items){.out = out, .column = CLI_KEY_WIDTH};
}

static void add_item(items *list, const char *text)
{
    size_t length = strlen(text);
    if (list->any) {
        bool fits = list->column + 3 + length < WIDTH;
        opac_output_print(list->out, fits ? ", " : ",\n%*s", fits ? 0 : CLI_KEY_WIDTH, "");
        list->column = fits ? list->column + 2 : CLI_KEY_WIDTH;
    }
    opac_output_write(list->out, text, length);
    list->column += length;
    list->any = true;
}

static void end_items(items *list)
{
    opac_output_text(list->out, list->any ? "\n" : "none\n");
}

static void write_variables(const opac_model *model, opac_output *out)
{
    items list = begin_items(out, "variables");
    for (uint32_t i = 0; i < opac_model_variable_count(model); i++) {
        char name[OPAC_SHOWN_SIZE], text[OPAC_SHOWN_SIZE + 64];
        const char *variable = opac_model_variable(model, i);
        int64_t low, high;
        opac_model_variable_range(model, i, &low, &high);
        opac_text_show(variable, strlen(variable), name, sizeof name);
        if (opac_model_variable_type(model, i) == OPAC_VALUE_BOOL)
            snprintf(text, sizeof text, "%s: bool", name);
        else
            snprintf(text, sizeof text, "%s: [%" PRId64 "..%" PRId64 "]", name, low, high);
        add_item(&list, text);
    }
    end_items(&list);
}

static void write_actions(const opac_model *model, opac_output *out)
{
    uint32_t count = opac_model_action_count(model);
    char text[OPAC_SHOWN_SIZE];
    items list = begin_items(out, "actions");
    for (uint32_t i = 0; i < count && i < MOST_ACTIONS; i++) {
        const char *action = opac_model_action(model, i);
        add_item(&list, opac_text_show(action, strlen(action), text, sizeof text));
    }
    if (count > MOST_ACTIONS) {
        snprintf(text, sizeof text, "and %" PRIu32 " more", count - MOST_ACTIONS);
        add_item(&list, text);
    }
    end_items(&list);
}

static void write_labels(const opac_model *model, opac_output *out)
{
    items list = begin_items(out, "labels");
    for (uint32_t i = 0; i < opac_model_label_count(model); i++) {
        char name[OPAC_SHOWN_SIZE], text[OPAC_SHOWN_SIZE + 32];
        const char *label = opac_model_label(model, i);
        opac_text_show(label, strlen(label), name, sizeof name);
        snprintf(text, sizeof text, "%s (%" PRIu32 ")", name, opac_model_label_states(model, i));
        add_item(&list, text);
    }
    end_items(&list);
}

static void write_structure(const opac_model_summary *summary, opac_output *out)
{
    char number[OPAC_NUMBER_SIZE];
    cli_write_key(out, "deadlocks");
    opac_output_print(out, "%" PRIu32 "\n", summary->deadlocks);
    cli_write_key(out, "least probability");
    opac_output_print(out, "%s\n", opac_number_format(summary->least_probability, number));
    cli_write_key(out, "start probability");
    opac_output_print(out, "%s\n", opac_number_format(summary->least_start_probability, number));
    cli_write_key(out, "at most");
    cli_write_count(out, summary->most_choices, "choice");
    opac_output_text(out, " a state, ");
    opac_output_print(out, "%" PRIu32 " branch%s", summary->most_branches,
                      summary->most_branches == 1 ? "" : "es");
    opac_output_text(out, " a choice\n");
    cli_write_key(out, "components");
    opac_output_print(out, "%" PRIu32 " strongly connected, %" PRIu32 " bottom; ",
                      summary->components, summary->bottom_components);
    opac_output_text(out, "the largest has ");
    cli_write_count(out, summary->largest_component, "state");
    opac_output_text(out, "\n");
    cli_write_key(out, "end components");
    opac_output_print(out, "%" PRIu32 " maximal, with ", summary->end_components);
    cli_write_count(out, summary->end_component_states, "state");
    opac_output_text(out, "; the largest has ");
    cli_write_count(out, summary->largest_end_component, "state");
    opac_output_text(out, "\n");
}

static void write_time(const cli_model *m, opac_output *out)
{
    char duration[OPAC_QUANTITY_SIZE], rate[OPAC_QUANTITY_SIZE];
    if (m->arguments->values[CLI_NO_TIMING].given)
        return;
    cli_write_key(out, "read in");
    opac_output_text(out, opac_duration_format(m->seconds, duration, sizeof duration));
    if (m->seconds > 0)
        opac_output_print(
            out, ", %s states a second",
            opac_quantity_format(opac_model_states(m->model) / m->seconds, rate, sizeof rate));
    opac_output_text(out, "\n");
}

static void write_text(const void *result, const cli_arguments *arguments, opac_output *out)
{
    const description *d = result;
    const opac_model *model = d->model->model;
    (void)arguments;
    opac_output_print(out, "Result: %s, ", opac_model_type_name(opac_model_get_type(model)));
    cli_write_count(out, d->summary.states, "state");
    opac_output_text(out, ", ");
    cli_write_count(out, d->summary.choices, "choice");
    opac_output_text(out, ", ");
    cli_write_count(out, d->summary.transitions, "transition");
    opac_output_text(out, "\n\n");
    cli_write_key(out, "initial states");
    opac_output_print(out, "%" PRIu32 "\n", d->summary.initial);
    write_variables(model, out);
    write_actions(model, out);
    write_labels(model, out);
    write_structure(&d->summary, out);
    write_time(d->model, out);
    cli_properties_write(d->properties, out);
}

/* ---- JSON ---- */

static void echo_variables(const opac_model *model, opac_json *json)
{
    opac_json_key(json, "variables");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < opac_model_variable_count(model); i++) {
        int64_t low, high;
        bool is_bool = opac_model_variable_type(model, i) == OPAC_VALUE_BOOL;
        opac_model_variable_range(model, i, &low, &high);
        opac_json_begin_object(json);
        opac_json_key(json, "name");
        opac_json_string(json, opac_model_variable(model, i));
        opac_json_key(json, "type");
        opac_json_string(json, is_bool ? "bool" : "int");
        if (!is_bool) {
            opac_json_key(json, "low");
            opac_json_int(json, low);
            opac_json_key(json, "high");
            opac_json_int(json, high);
        }
        opac_json_end_object(json);
    }
    opac_json_end_array(json);
}

static void echo_names(const opac_model *model, opac_json *json)
{
    opac_json_key(json, "actions");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < opac_model_action_count(model); i++)
        opac_json_string(json, opac_model_action(model, i));
    opac_json_end_array(json);
    opac_json_key(json, "labels");
    opac_json_begin_object(json);
    for (uint32_t i = 0; i < opac_model_label_count(model); i++)
        cli_echo_number(json, opac_model_label(model, i), opac_model_label_states(model, i));
    opac_json_end_object(json);
}

static void echo_structure(const opac_model_summary *summary, opac_json *json)
{
    cli_echo_number(json, "deadlocks", summary->deadlocks);
    opac_json_key(json, "least_probability");
    opac_json_double(json, summary->least_probability);
    opac_json_key(json, "least_start_probability");
    opac_json_double(json, summary->least_start_probability);
    cli_echo_number(json, "most_choices", summary->most_choices);
    cli_echo_number(json, "most_branches", summary->most_branches);
    opac_json_key(json, "components");
    opac_json_begin_object(json);
    cli_echo_number(json, "count", summary->components);
    cli_echo_number(json, "bottom", summary->bottom_components);
    cli_echo_number(json, "largest", summary->largest_component);
    opac_json_end_object(json);
    opac_json_key(json, "end_components");
    opac_json_begin_object(json);
    cli_echo_number(json, "count", summary->end_components);
    cli_echo_number(json, "states", summary->end_component_states);
    cli_echo_number(json, "largest", summary->largest_end_component);
    opac_json_end_object(json);
}

static void echo_stats(const cli_model *m, opac_json *json)
{
    if (m->arguments->values[CLI_NO_TIMING].given)
        return;
    opac_json_key(json, "stats");
    opac_json_begin_object(json);
    opac_json_key(json, "seconds");
    opac_json_double(json, round(m->seconds * 1e6) / 1e6);
    opac_json_key(json, "states_per_second");
    opac_json_double(json, round(opac_model_states(m->model) / m->seconds));
    opac_json_end_object(json);
}

void cli_info_echo(const cli_model *m, const opac_model_summary *summary, opac_json *json)
{
    opac_json_key(json, "model");
    opac_json_begin_object(json);
    opac_json_key(json, "type");
    opac_json_string(json, opac_model_type_name(opac_model_get_type(m->model)));
    cli_echo_number(json, "states", summary->states);
    cli_echo_number(json, "choices", summary->choices);
    cli_echo_number(json, "transitions", summary->transitions);
    cli_echo_number(json, "initial_states", summary->initial);
    echo_variables(m->model, json);
    echo_names(m->model, json);
    echo_structure(summary, json);
    opac_json_end_object(json);
}

static void write_line(const cli_model *m, const opac_model_summary *summary,
                       const cli_property_list *properties, opac_output *out)
{
    opac_json json;
    opac_json_init(&json, out);
    cli_begin_result(&json, m->arguments);
    opac_json_key(&json, "inputs");
    opac_json_begin_object(&json);
    opac_json_key(&json, "model");
    opac_json_string(&json, m->arguments->operands[0]);
    opac_json_end_object(&json);
    cli_echo_params(m->arguments, &json);
    cli_info_echo(m, summary, &json);
    cli_properties_echo(properties, &json);
    echo_stats(m, &json);
    opac_json_end_object(&json);
    opac_output_text(out, "\n");
}

void cli_info_write_json(const cli_model *m, const opac_model_summary *summary, opac_output *out)
{
    write_line(m, summary, NULL, out);
}

static void write_json(const void *result, const cli_arguments *arguments, opac_output *out)
{
    const description *d = result;
    (void)arguments;
    write_line(d->model, &d->summary, d->properties, out);
}

/* ---- the command ---- */

static opac_status describe(cli_model *m, description *d, opac_error *error)
{
    opac_status status = cli_model_load(m, m->arguments->operands[0], error);
    if (status == OPAC_OK)
        status = cli_properties_read(m, &d->properties, error);
    if (status == OPAC_OK)
        status = cli_model_check_constants(m, error);
    if (status == OPAC_OK)
        status = opac_model_summarize(m->model, m->cancel, &d->summary, error);
    return status;
}

cli_exit cli_run_info(const cli_arguments *arguments)
{
    cli_model m;
    description d = {.model = &m};
    opac_error error;
    opac_status status = cli_model_begin(&m, arguments, &error);
    if (status == OPAC_OK)
        status = describe(&m, &d, &error);
    cli_exit exit = status == OPAC_OK ? cli_write_result(arguments, &d, write_text, write_json)
                                      : cli_model_report(&m, &error);
    cli_properties_free(d.properties);
    cli_model_end(&m);
    return exit;
}
