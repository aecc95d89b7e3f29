/* SPDX-License-Identifier: MIT */
/* States by their names. */
#include "report/states.h"

#include <inttypes.h>
#include <string.h>

#include <omegapac/number.h>

#include "base/text.h"

enum {
    MOST_LABELS = 60 /* bytes of the labels of a state */
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
}

/* ---- names ---- */

static void add_scalar(report_page *page, report_value value, base_text *name)
{
    const char *text = "";
    bool flag = false;
    switch (base_json_kind_of(value)) {
    case BASE_JSON_BOOL:
        report_fail(page, base_json_bool(value, &flag, page->error));
        base_text_add(name, flag ? "true" : "false");
        break;
    case BASE_JSON_STRING:
        report_fail(page, base_json_string(value, &text, NULL, page->error));
        base_text_add(name, text);
        break;
    default: /* what is no number either is a mistake */
        report_fail(page, base_json_number_text(value, &text, page->error));
        base_text_add(name, text);
    }
}

/* x and y may be left out, where they are the place of the state. */
static void name_values(report_page *page, report_value values, bool with_place, base_text *name)
{
    report_value member = {0};
    (void)report_member(page, values, ""); /* an object? */
    while (!report_failed(page) && base_json_next(values, &member)) {
        if (!with_place && (strcmp(member.key, "x") == 0 || strcmp(member.key, "y") == 0))
            continue;
        base_text_add(name, name->length > 0 ? ", " : "");
        base_text_add(name, member.key);
        base_text_add(name, "=");
        add_scalar(page, member, name);
    }
}

static void name_state(report_page *page, report_value object, base_text *name)
{
    report_value values = report_member(page, object, "values");
    report_value state = report_member(page, object, "state");
    const char *key = report_text(page, object, "key");
    const char *hex = report_text(page, object, "key_hex");
    if (report_failed(page))
        return;
    if (report_has(values))
        name_values(page, values, true, name);
    else if (key != NULL)
        base_text_add(name, key);
    else if (hex != NULL) {
        base_text_add(name, "bytes ");
        base_text_add(name, hex);
    } else if (report_has(state)) {
        base_text_add(name, base_json_kind_of(state) == BASE_JSON_STRING ? "" : "state ");
        add_scalar(page, state, name);
    }
    if (name->length == 0)
        base_text_add(name, "(empty)");
}

/* ---- what is known of them ---- */

/* What its values say beyond its place. */
static void find_layer(report_page *page, report_value values, report_state *state)
{
    base_text text = {0};
    const char *layer = NULL;
    name_values(page, values, false, &text);
    report_fail(page, base_text_check(&text, page->error));
    if (!report_failed(page))
        layer = base_arena_copy_text(&page->arena, text.bytes, text.length);
    if (layer != NULL)
        state->at.layer = layer;
    else if (!report_failed(page))
        report_fail(page, base_fail_memory(page->error));
    base_text_fini(&text);
}

static void locate(report_page *page, report_value object, report_state *state)
{
    report_value values = report_member(page, object, "values");
    report_value x = report_member(page, values, "x"), y = report_member(page, values, "y");
    const int64_t most = INT32_MAX;
    report_value key = report_member(page, object, "key");
    const char *text;
    size_t length;
    state->at.layer = "";
    if (report_has(x) && report_has(y)) {
        state->has_place = base_json_int64(x, -most, most, &state->at.x, NULL) == OPAC_OK &&
                           base_json_int64(y, -most, most, &state->at.y, NULL) == OPAC_OK;
        find_layer(page, values, state);
    } else if (report_has(key) && base_json_string(key, &text, &length, NULL) == OPAC_OK)
        state->has_place = drawing_grid_parse(text, length, &state->at);
}

/* What every model has is no news. */
static bool is_plain(const char *label)
{
    return strcmp(label, "init") != 0 && strcmp(label, "deadlock") != 0;
}

static void find_labels(report_page *page, report_value object, report_state *state)
{
    report_value labels = report_member(page, object, "labels");
    size_t count = report_length(page, labels);
    base_text text = {0};
    for (size_t i = 0; i < count && text.length <= MOST_LABELS && !report_failed(page); i++) {
        const char *label = "";
        report_fail(page,
                    base_json_string(report_item(page, labels, i), &label, NULL, page->error));
        if (report_failed(page) || !is_plain(label))
            continue;
        base_text_add(&text, text.length > 0 ? ", " : "");
        base_text_add(&text, label);
    }
    report_fail(page, base_text_check(&text, page->error));
    if (!report_failed(page) && text.length > 0) {
        state->labels = drawing_text_copy(&page->arena, text.bytes, text.length, MOST_LABELS);
        if (state->labels == NULL) {
            state->labels = "";
            report_fail(page, base_fail_memory(page->error));
        }
    }
    base_text_fini(&text);
}

static void add(report_states *states, report_page *page, report_value object,
                const base_text *name)
{
    report_state state = {.labels = ""};
    locate(page, object, &state);
    state.at.item = (uint32_t)states->items.count;
    state.place = drawing_text_copy(&page->arena, name->bytes, name->length, DRAWING_MOST_PLACE);
    if (state.place == NULL)
        report_fail(page, base_fail_memory(page->error));
    if (!report_failed(page))
        report_fail(page, report_state_vec_push(&states->items, state, page->error));
}

uint32_t report_states_meet(report_states *states, report_page *page, report_value object)
{
    base_text name = {0};
    uint32_t number = 0;
    bool is_new = false;
    name_state(page, object, &name);
    report_fail(page, base_text_check(&name, page->error));
    if (!report_failed(page))
        report_fail(page, base_intern_add(&states->names, name.bytes, name.length, &number, &is_new,
                                          page->error));
    if (!report_failed(page) && is_new)
        add(states, page, object, &name);
    if (!report_failed(page) && *states->items.items[number].labels == '\0')
        find_labels(page, object, &states->items.items[number]);
    base_text_fini(&name);
    return report_failed(page) ? 0 : number;
}
