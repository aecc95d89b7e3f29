/* SPDX-License-Identifier: MIT */
/* The result of info: the sizes and names of a model, and how its properties are read. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/quantity.h>
#include <omegapac/text.h>

#include "result/document.h"
#include "result/lines.h"
#include "result/members.h"
#include "result/result_read.h"
#include "result/result_text.h"

enum {
    WIDTH = 80,
    MOST_ACTIONS = 20 /* names listed in the text */
};

/* ---- JSON ---- */

static void put_variables(const opac_model *model, opac_json *json)
{
    opac_json_key(json, "variables");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < opac_model_variable_count(model); i++) {
        int64_t low, high;
        bool is_bool = opac_model_variable_type(model, i) == OPAC_VALUE_BOOL;
        opac_model_variable_range(model, i, &low, &high);
        opac_json_begin_object(json);
        result_put_text(json, "name", opac_model_variable(model, i));
        result_put_text(json, "type", is_bool ? "bool" : "int");
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

static void put_names(const opac_model *model, opac_json *json)
{
    opac_json_key(json, "actions");
    opac_json_begin_array(json);
    for (uint32_t i = 0; i < opac_model_action_count(model); i++)
        opac_json_string(json, opac_model_action(model, i));
    opac_json_end_array(json);
    opac_json_key(json, "labels");
    opac_json_begin_object(json);
    for (uint32_t i = 0; i < opac_model_label_count(model); i++)
        result_put_uint(json, opac_model_label(model, i), opac_model_label_states(model, i));
    opac_json_end_object(json);
}

static void put_structure(const opac_model_summary *summary, opac_json *json)
{
    result_put_uint(json, "deadlocks", summary->deadlocks);
    result_put_double(json, "least_probability", summary->least_probability);
    result_put_double(json, "least_start_probability", summary->least_start_probability);
    result_put_uint(json, "most_choices", summary->most_choices);
    result_put_uint(json, "most_branches", summary->most_branches);
    opac_json_key(json, "components");
    opac_json_begin_object(json);
    result_put_uint(json, "count", summary->components);
    result_put_uint(json, "bottom", summary->bottom_components);
    result_put_uint(json, "largest", summary->largest_component);
    opac_json_end_object(json);
    opac_json_key(json, "end_components");
    opac_json_begin_object(json);
    result_put_uint(json, "count", summary->end_components);
    result_put_uint(json, "states", summary->end_component_states);
    result_put_uint(json, "largest", summary->largest_end_component);
    opac_json_end_object(json);
}

static void put_model(const opac_info_answer *answer, opac_json *json)
{
    const opac_model_summary *summary = answer->summary;
    opac_json_key(json, "model");
    opac_json_begin_object(json);
    result_put_model(json, answer->model);
    result_put_uint(json, "choices", summary->choices);
    result_put_uint(json, "transitions", summary->transitions);
    result_put_uint(json, "initial_states", summary->initial);
    put_variables(answer->model, json);
    put_names(answer->model, json);
    put_structure(summary, json);
    opac_json_end_object(json);
}

/* "Pmax>=0.9 [ ". */
static void write_operator(const opac_objective *objective, opac_output *out)
{
    static const char *const directions[] = {"P", "Pmin", "Pmax"};
    static const char *const comparisons[] = {"=?", "<", "<=", ">", ">="};
    char bound[OPAC_NUMBER_SIZE] = "";
    if (objective->comparison != OPAC_COMPARISON_VALUE)
        opac_number_format(objective->bound, bound);
    opac_output_print(out, "%s%s%s [ ", directions[objective->direction],
                      comparisons[objective->comparison], bound);
}

static void put_read(const opac_objective *objective, opac_json *json)
{
    opac_output *text = result_open_text(json);
    if (text == NULL)
        return;
    if (objective->properties == NULL) {
        opac_formula_write(objective->formula, OPAC_FORMULA_INFIX, text);
    } else {
        write_operator(objective, text);
        opac_formula_write(objective->formula, OPAC_FORMULA_PRISM, text);
        opac_output_text(text, " ]");
    }
    result_close_text(json, "read", text);
}

static void put_property(const opac_info_property *property, opac_json *json)
{
    const opac_formula *formula = property->objective->formula;
    opac_json_begin_object(json);
    if (property->name != NULL && *property->name != '\0')
        result_put_text(json, "name", property->name);
    result_put_text(json, "text", property->text);
    put_read(property->objective, json);
    opac_json_key(json, "propositions");
    opac_json_begin_object(json);
    for (size_t i = 0; i < opac_formula_proposition_count(formula); i++)
        result_put_uint(json, opac_formula_proposition(formula, i), property->counts[i]);
    opac_json_end_object(json);
    opac_json_end_object(json);
}

static void put_properties(const opac_info_answer *answer, opac_json *json)
{
    if (answer->property_count == 0)
        return;
    opac_json_key(json, "properties");
    opac_json_begin_array(json);
    for (size_t i = 0; i < answer->property_count; i++)
        put_property(&answer->properties[i], json);
    opac_json_end_array(json);
}

static void put_stats(const opac_info_answer *answer, const opac_result_source *source,
                      opac_json *json)
{
    if (!result_has_times(source))
        return;
    opac_json_key(json, "stats");
    opac_json_begin_object(json);
    result_put_seconds(json, "seconds", source->read_seconds);
    result_put_double(json, "states_per_second",
                      round(opac_model_states(answer->model) / source->read_seconds));
    opac_json_end_object(json);
}

opac_status opac_result_of_info(const opac_info_answer *answer, const opac_result_source *source,
                                opac_result **result, opac_error *error)
{
    opac_json json;
    TRY(result_begin(answer->is_converted ? "convert" : "info", source, result, &json, error));
    opac_json_key(&json, "inputs");
    opac_json_begin_object(&json);
    result_put_name(&json, source);
    opac_json_end_object(&json);
    result_put_params(*result, &json);
    put_model(answer, &json);
    put_properties(answer, &json);
    put_stats(answer, source, &json);
    return result_end(result, &json, error);
}

/* ---- text ---- */

/* A list of items, separated by commas and broken before the width. */
typedef struct items {
    opac_output *out;
    size_t column;
    bool any;
} items;

static items begin_items(opac_output *out, const char *key)
{
    result_line_key(out, key);
    return (items){.out = out, .column = OPAC_KEY_WIDTH};
}

/* A text from the model, and a suffix. */
static void add_item(items *list, const char *text, const char *more)
{
    char shown[OPAC_SHOWN_SIZE];
    if (text == NULL)
        return;
    opac_text_show(text, strlen(text), shown, sizeof shown);
    size_t length = strlen(shown) + strlen(more);
    if (list->any) {
        bool fits = list->column + 3 + length < WIDTH;
        opac_output_print(list->out, fits ? ", " : ",\n%*s", fits ? 0 : OPAC_KEY_WIDTH, "");
        list->column = fits ? list->column + 2 : OPAC_KEY_WIDTH;
    }
    opac_output_print(list->out, "%s%s", shown, more);
    list->column += length;
    list->any = true;
}

static void end_items(items *list)
{
    opac_output_text(list->out, list->any ? "\n" : "none\n");
}

static void write_variables(base_json_value variables, opac_output *out)
{
    items list = begin_items(out, "variables");
    for (size_t i = 0; i < result_count(variables); i++) {
        base_json_value variable = result_item(variables, i);
        const char *low = result_get_digits(variable, "low");
        const char *high = result_get_digits(variable, "high");
        char range[64] = ": bool", ends[2][24];
        if (low != NULL && high != NULL)
            snprintf(range, sizeof range, ": [%s..%s]",
                     opac_text_show(low, strlen(low), ends[0], sizeof ends[0]),
                     opac_text_show(high, strlen(high), ends[1], sizeof ends[1]));
        add_item(&list, result_get_text(variable, "name"), range);
    }
    end_items(&list);
}

static void write_actions(base_json_value actions, opac_output *out)
{
    size_t count = result_count(actions);
    items list = begin_items(out, "actions");
    for (size_t i = 0; i < count && i < MOST_ACTIONS; i++)
        add_item(&list, result_item_text(actions, i), "");
    if (count > MOST_ACTIONS) {
        char text[64];
        snprintf(text, sizeof text, "and %zu more", count - MOST_ACTIONS);
        add_item(&list, text, "");
    }
    end_items(&list);
}

static void write_labels(base_json_value labels, opac_output *out)
{
    items list = begin_items(out, "labels");
    base_json_value label = {0};
    while (result_next(labels, &label)) {
        char count[32];
        snprintf(count, sizeof count, " (%" PRIu64 ")", result_uint_of(label));
        add_item(&list, label.key, count);
    }
    end_items(&list);
}

static void write_least_probabilities(base_json_value model, opac_output *out)
{
    char transition[OPAC_NUMBER_SIZE], start[OPAC_NUMBER_SIZE];
    result_line_key(out, "least probability");
    opac_output_print(
        out, "%s of a transition, %s of an initial state\n",
        result_format_number(result_get_double(model, "least_probability"), transition),
        result_format_number(result_get_double(model, "least_start_probability"), start));
}

static void write_structure(base_json_value model, opac_output *out)
{
    uint64_t branches = result_get_uint(model, "most_branches");
    result_line_key(out, "deadlocks");
    opac_output_print(out, "%" PRIu64 "\n", result_get_uint(model, "deadlocks"));
    write_least_probabilities(model, out);
    result_line_key(out, "at most");
    result_show_count(out, result_get_uint(model, "most_choices"), "choice");
    opac_output_print(out, " a state, %" PRIu64 " branch%s a choice\n", branches,
                      branches == 1 ? "" : "es");
    result_line_key(out, "components");
    opac_output_print(out, "%" PRIu64 " strongly connected, %" PRIu64 " bottom; the largest has ",
                      result_get_uint(model, "components.count"),
                      result_get_uint(model, "components.bottom"));
    result_show_count(out, result_get_uint(model, "components.largest"), "state");
    opac_output_text(out, "\n");
    result_line_key(out, "end components");
    opac_output_print(out, "%" PRIu64 " maximal, with ",
                      result_get_uint(model, "end_components.count"));
    result_show_count(out, result_get_uint(model, "end_components.states"), "state");
    opac_output_text(out, "; the largest has ");
    result_show_count(out, result_get_uint(model, "end_components.largest"), "state");
    opac_output_text(out, "\n");
}

static void write_time(base_json_value stats, opac_output *out)
{
    char duration[OPAC_QUANTITY_SIZE], rate[OPAC_QUANTITY_SIZE];
    double seconds = result_get_double(stats, "seconds");
    double states = result_get_double(stats, "states_per_second");
    if (isnan(seconds))
        return;
    result_line_key(out, "read in");
    opac_output_text(out, opac_duration_format(seconds, duration, sizeof duration));
    if (!isnan(states))
        opac_output_print(out, ", %s states a second",
                          opac_quantity_format(states, rate, sizeof rate));
    opac_output_text(out, "\n");
}

/* A property as written and as parsed, and a line for each proposition. */
static void write_property(base_json_value property, opac_output *out)
{
    base_json_value propositions = result_get(property, "propositions"), proposition = {0};
    opac_output_text(out, "\nproperty  ");
    result_show_named(out, result_get_text(property, "name"), result_get_text(property, "text"));
    opac_output_text(out, "\nread as   ");
    result_show(out, result_get_text(property, "read"));
    opac_output_text(out, "\n");
    while (result_next(propositions, &proposition)) {
        opac_output_text(out, "holds in  ");
        result_show_count(out, result_uint_of(proposition), "state");
        opac_output_text(out, ": ");
        result_show(out, proposition.key);
        opac_output_text(out, "\n");
    }
}

void result_text_of_info(base_json_value result, const result_extras *extras, opac_output *out)
{
    base_json_value model = result_get(result, "model"), list = result_get(result, "properties");
    (void)extras;
    opac_output_text(out, "Result: ");
    result_show(out, result_get_text(model, "type"));
    opac_output_text(out, ", ");
    result_show_count(out, result_get_uint(model, "states"), "state");
    opac_output_text(out, ", ");
    result_show_count(out, result_get_uint(model, "choices"), "choice");
    opac_output_text(out, ", ");
    result_show_count(out, result_get_uint(model, "transitions"), "transition");
    opac_output_text(out, "\n\n");
    result_line_key(out, "initial states");
    opac_output_print(out, "%" PRIu64 "\n", result_get_uint(model, "initial_states"));
    write_variables(result_get(model, "variables"), out);
    write_actions(result_get(model, "actions"), out);
    write_labels(result_get(model, "labels"), out);
    write_structure(model, out);
    write_time(result_get(result, "stats"), out);
    for (size_t i = 0; i < result_count(list); i++)
        write_property(result_item(list, i), out);
}
