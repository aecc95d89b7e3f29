/* SPDX-License-Identifier: MIT */
#include "report/report_states.h"

#include <string.h>

#include "base/text.h"
#include "result/result_read.h"

enum {
    MOST_LABELS = 60 /* most bytes for the labels of a state */
};

void report_states_init(report_states *states)
{
    *states = (report_states){0};
    base_intern_init(&states->names);
}

void report_states_fini(report_states *states)
{
    base_intern_fini(&states->names);
    report_state_vec_fini(&states->items);
    base_arena_fini(&states->arena);
}

/* ---- names ---- */

static void add_scalar(base_text *name, base_json_value value)
{
    const char *text = "null";
    bool flag = false;
    base_json_kind kind = base_json_kind_of(value);
    if (kind == BASE_JSON_BOOL && base_json_bool(value, &flag, NULL) == OPAC_OK)
        text = flag ? "true" : "false";
    else if (kind == BASE_JSON_STRING)
        (void)base_json_string(value, &text, NULL, NULL);
    else if (kind == BASE_JSON_NUMBER)
        (void)base_json_number_text(value, &text, NULL);
    base_text_add(name, text);
}

/* Formats the values; without x and y if these are the coordinates. */
static void add_values(base_text *name, base_json_value values, bool with_place)
{
    base_json_value member = {0};
    while (base_json_next(values, &member)) {
        if (!with_place && (strcmp(member.key, "x") == 0 || strcmp(member.key, "y") == 0))
            continue;
        base_text_add(name, name->length > 0 ? ", " : "");
        base_text_add(name, member.key);
        base_text_add(name, "=");
        add_scalar(name, member);
    }
}

static bool has(base_json_value value)
{
    return base_json_is_there(value) && base_json_kind_of(value) != BASE_JSON_NULL;
}

static void add_name(base_text *name, base_json_value object)
{
    base_json_value values = result_get(object, "values"), state = result_get(object, "state");
    const char *key = result_get_text(object, "key"), *hex = result_get_text(object, "key_hex");
    if (has(values))
        add_values(name, values, true);
    else if (key != NULL)
        base_text_add(name, key);
    else if (hex != NULL) {
        base_text_add(name, "bytes ");
        base_text_add(name, hex);
    } else if (has(state)) {
        base_text_add(name, base_json_kind_of(state) == BASE_JSON_STRING ? "" : "state ");
        add_scalar(name, state);
    }
    if (name->length == 0)
        base_text_add(name, "(empty)");
}

/* ---- places and labels ---- */

/* The values of the variables other than x and y. */
static opac_status find_layer(report_states *states, base_json_value values, report_state *state,
                              opac_error *error)
{
    base_text text = {0};
    add_values(&text, values, false);
    opac_status status = base_text_check(&text, error);
    if (status == OPAC_OK) {
        state->at.layer = base_arena_copy_text(&states->arena, base_text_get(&text), text.length);
        status = state->at.layer != NULL ? OPAC_OK : base_fail_memory(error);
    }
    base_text_fini(&text);
    return status;
}

static opac_status locate(report_states *states, base_json_value object, report_state *state,
                          opac_error *error)
{
    base_json_value values = result_get(object, "values");
    base_json_value x = result_get(values, "x"), y = result_get(values, "y");
    const char *key = result_get_text(object, "key");
    const int64_t most = INT32_MAX;
    state->at.layer = "";
    if (has(x) && has(y)) {
        state->has_place = base_json_int64(x, -most, most, &state->at.x, NULL) == OPAC_OK &&
                           base_json_int64(y, -most, most, &state->at.y, NULL) == OPAC_OK;
        return find_layer(states, values, state, error);
    }
    if (key != NULL)
        state->has_place = drawing_grid_parse(key, strlen(key), &state->at);
    return OPAC_OK;
}

static opac_status find_labels(report_states *states, base_json_value object, report_state *state,
                               opac_error *error)
{
    base_json_value labels = result_get(object, "labels");
    base_text text = {0};
    for (size_t i = 0; i < result_count(labels) && text.length <= MOST_LABELS; i++) {
        const char *label = result_item_text(labels, i);
        if (label == NULL || strcmp(label, "init") == 0 || strcmp(label, "deadlock") == 0)
            continue; /* present in every model */
        base_text_add(&text, text.length > 0 ? ", " : "");
        base_text_add(&text, label);
    }
    opac_status status = base_text_check(&text, error);
    if (status == OPAC_OK && text.length > 0) {
        const char *shown = drawing_text_copy(&states->arena, text.bytes, text.length, MOST_LABELS);
        if (shown != NULL)
            state->labels = shown;
        else
            status = base_fail_memory(error);
    }
    base_text_fini(&text);
    return status;
}

static opac_status add_new(report_states *states, base_json_value object, const base_text *name,
                           opac_error *error)
{
    report_state state = {.labels = ""};
    TRY(locate(states, object, &state, error));
    state.at.item = (uint32_t)states->items.count;
    state.name =
        drawing_text_copy(&states->arena, name->bytes, name->length, DRAWING_MOST_STATE_NAME);
    if (state.name == NULL)
        return base_fail_memory(error);
    return report_state_vec_push(&states->items, state, error);
}

opac_status report_states_add(report_states *states, base_json_value object, uint32_t *number,
                              opac_error *error)
{
    base_text name = {0};
    bool is_new = false;
    opac_status status;
    add_name(&name, object);
    TRY_OR(done, base_text_check(&name, error));
    TRY_OR(done, base_intern_add(&states->names, name.bytes, name.length, number, &is_new, error));
    if (is_new)
        TRY_OR(done, add_new(states, object, &name, error));
    report_state *state = &states->items.items[*number];
    if (*state->labels == '\0')
        status = find_labels(states, object, state, error);
done:
    base_text_fini(&name);
    return status;
}
