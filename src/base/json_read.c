/* SPDX-License-Identifier: MIT */
/*
 * Reading JSON by jansson: its errors in our words, and typed access with
 * errors that name the path. Parsing is linear; so is each error's path.
 */
#include "base/json_read.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/json_numbers.h"
#include "base/nearest.h"
#include "base/utf8.h"

struct base_json {
    json_t *root;
};

/* Parsing. */

/* Takes back what the marks of large numbers have added to the line of an error. */
static uint32_t column_of(const json_error_t *found, const base_text *marked)
{
    size_t at = found->position > 0 ? (size_t)found->position : 0;
    int column = found->column;
    at = at < marked->length ? at : marked->length;
    while (at > 0 && marked->bytes[at - 1] != '\n') {
        at--;
        if (strncmp(marked->bytes + at, BASE_JSON_MARK_WRITTEN, strlen(BASE_JSON_MARK_WRITTEN)) ==
            0)
            column -= BASE_JSON_MARK_COLUMNS;
    }
    return column > 0 ? (uint32_t)column : 1;
}

/* jansson's error in our words. An error without a text is an allocation that failed. */
static opac_status report(const json_error_t *found, const base_text *marked, opac_error *error)
{
    char shown[JSON_ERROR_TEXT_LENGTH];
    uint32_t line = found->line > 0 ? (uint32_t)found->line : 1, column = column_of(found, marked);
    if (found->text[0] == '\0')
        return base_fail_memory(error);
    switch (json_error_code(found)) {
    case json_error_out_of_memory:
        return base_fail_memory(error);
    case json_error_stack_overflow:
        return base_fail_at(error, OPAC_ERROR_LIMIT, line, column, "nested too deep");
    case json_error_null_character:
    case json_error_null_byte_in_key:
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line, column,
                            "a string contains the character NUL (\\u0000)");
    default:
        opac_text_show(found->text, strlen(found->text), shown, sizeof shown);
        return base_fail_at(error, OPAC_ERROR_SYNTAX, line, column, "%s", shown);
    }
}

static opac_status load(const char *bytes, size_t length, json_t **root, opac_error *error)
{
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY;
    json_error_t found = {.line = -1};
    base_text marked = {0};
    opac_status status = base_json_mark_numbers(bytes, length, &marked, error);
    if (status != OPAC_OK)
        goto done;
    const char *text = marked.length > 0 ? marked.bytes : bytes;
    size_t text_length = marked.length > 0 ? marked.length : length;
    *root = json_loadb(text, text_length, flags, &found);
    if (*root != NULL)
        goto done;
    status = report(&found, &marked, error);
    if (status == OPAC_ERROR_SYNTAX) {
        /* Also said of a string for which there was no memory; then it does not repeat. */
        json_t *again = json_loadb(text, text_length, flags, &found);
        if (again != NULL)
            status = base_fail_memory(error);
        json_decref(again);
    }
done:
    base_text_fini(&marked);
    return status;
}

opac_status base_json_parse(const char *bytes, size_t length, base_json **document,
                            opac_error *error)
{
    *document = NULL;
    if (length == 0)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, 1, 1, "expected a JSON value, got nothing");
    opac_status status = base_utf8_check(bytes, length, error);
    if (status != OPAC_OK)
        return status;
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, 1, 1,
                            "JSON does not begin with a byte order mark");
    base_json *result = base_alloc(1, sizeof *result);
    if (result == NULL)
        return base_fail_memory(error);
    status = load(bytes, length, &result->root, error);
    if (status == OPAC_OK)
        *document = result;
    else
        base_free(result);
    return status;
}

void base_json_free(base_json *document)
{
    if (document == NULL)
        return;
    json_decref(document->root);
    base_free(document);
}

base_json_value base_json_root(const base_json *document)
{
    return (base_json_value){.document = document, .node = document->root};
}

/* The path of a value, for errors; written from its end, since that is how a search finds it. */

typedef struct json_path {
    char text[200];
    size_t begin; /* of what is written so far */
    bool is_cut;
} json_path;

static void prepend(json_path *path, const char *piece)
{
    size_t length = strlen(piece);
    if (path->is_cut)
        return;
    if (length + strlen("...") > path->begin) {
        path->is_cut = true;
        piece = "...";
        length = strlen(piece);
    }
    path->begin -= length;
    memcpy(path->text + path->begin, piece, length);
}

static void prepend_member(json_path *path, const char *key)
{
    char shown[60];
    prepend(path, opac_text_show(key, strlen(key), shown, sizeof shown));
    prepend(path, ".");
}

static void prepend_index(json_path *path, size_t index)
{
    char shown[32];
    snprintf(shown, sizeof shown, "[%zu]", index);
    prepend(path, shown);
}

/* Looks for a container from node on; prepends its path on the way back. */
static bool prepend_path(json_path *path, json_t *node, const json_t *container)
{
    if (node == container)
        return true;
    const char *key;
    json_t *child;
    size_t index;
    json_object_foreach(node, key, child)
    {
        if (prepend_path(path, child, container)) {
            prepend_member(path, key);
            return true;
        }
    }
    json_array_foreach(node, index, child)
    {
        if (prepend_path(path, child, container)) {
            prepend_index(path, index);
            return true;
        }
    }
    return false;
}

/* "choices[3].action: ", and "" for the root. */
static const char *path_of(base_json_value value, json_path *path)
{
    path->begin = sizeof path->text - 1;
    path->text[path->begin] = '\0';
    path->is_cut = false;
    if (value.container == NULL)
        return "";
    prepend(path, ": ");
    if (value.key != NULL)
        prepend_member(path, value.key);
    else
        prepend_index(path, value.index);
    prepend_path(path, value.document->root, value.container);
    const char *text = path->text + path->begin;
    return text[0] == '.' && !path->is_cut ? text + 1 : text;
}

/* Kinds. */

static bool is_marked_number(const json_t *node)
{
    return json_is_string(node) && json_string_value(node)[0] == BASE_JSON_MARK;
}

base_json_kind base_json_kind_of(base_json_value value)
{
    switch (json_typeof(value.node)) {
    case JSON_OBJECT:
        return BASE_JSON_OBJECT;
    case JSON_ARRAY:
        return BASE_JSON_ARRAY;
    case JSON_STRING:
        return is_marked_number(value.node) ? BASE_JSON_NUMBER : BASE_JSON_STRING;
    case JSON_INTEGER:
    case JSON_REAL:
        return BASE_JSON_NUMBER;
    case JSON_TRUE:
    case JSON_FALSE:
        return BASE_JSON_BOOL;
    default:
        return BASE_JSON_NULL;
    }
}

static const char *kind_name(base_json_kind kind)
{
    static const char *const names[] = {
        [BASE_JSON_OBJECT] = "an object", [BASE_JSON_ARRAY] = "an array",
        [BASE_JSON_STRING] = "a string",  [BASE_JSON_NUMBER] = "a number",
        [BASE_JSON_BOOL] = "a boolean",   [BASE_JSON_NULL] = "null",
    };
    return names[kind];
}

static opac_status expect(base_json_value value, base_json_kind kind, opac_error *error)
{
    json_path where;
    base_json_kind got = base_json_kind_of(value);
    if (got == kind)
        return OPAC_OK;
    return base_fail(error, OPAC_ERROR_SYNTAX, "%sexpected %s, got %s", path_of(value, &where),
                     kind_name(kind), kind_name(got));
}

/* Objects. */

opac_status base_json_optional(base_json_value object, const char *name, base_json_value *member,
                               opac_error *error)
{
    opac_status status = expect(object, BASE_JSON_OBJECT, error);
    if (status != OPAC_OK)
        return status;
    void *at = json_object_iter_at(object.node, name);
    *member = (base_json_value){.document = object.document,
                                .node = json_object_iter_value(at),
                                .container = object.node,
                                .key = json_object_iter_key(at)};
    return OPAC_OK;
}

opac_status base_json_member(base_json_value object, const char *name, base_json_value *member,
                             opac_error *error)
{
    json_path where;
    opac_status status = base_json_optional(object, name, member, error);
    if (status == OPAC_OK && member->node == NULL)
        status = base_fail(error, OPAC_ERROR_SYNTAX, "%smember '%s' is missing",
                           path_of(object, &where), name);
    return status;
}

static opac_status fail_unknown(base_json_value object, const char *key, const char *const *names,
                                size_t count, opac_error *error)
{
    json_path where;
    char shown[60];
    const char *nearest = opac_text_nearest(key, names, count);
    return base_fail(error, OPAC_ERROR_SYNTAX, "%sunknown member '%s'%s%s%s",
                     path_of(object, &where), opac_text_show(key, strlen(key), shown, sizeof shown),
                     nearest != NULL ? ", did you mean '" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "'?" : "");
}

opac_status base_json_only(base_json_value object, const char *const *names, size_t count,
                           opac_error *error)
{
    opac_status status = expect(object, BASE_JSON_OBJECT, error);
    base_json_value member = {0};
    while (status == OPAC_OK && base_json_next(object, &member)) {
        size_t i = 0;
        while (i < count && strcmp(member.key, names[i]) != 0)
            i++;
        if (i == count)
            status = fail_unknown(object, member.key, names, count, error);
    }
    return status;
}

bool base_json_next(base_json_value object, base_json_value *member)
{
    void *at = member->key == NULL
                   ? json_object_iter(object.node)
                   : json_object_iter_next(object.node, json_object_key_to_iter(member->key));
    *member = (base_json_value){0};
    if (at == NULL)
        return false;
    *member = (base_json_value){.document = object.document,
                                .node = json_object_iter_value(at),
                                .container = object.node,
                                .key = json_object_iter_key(at)};
    return true;
}

/* Arrays. */

opac_status base_json_length(base_json_value array, size_t *length, opac_error *error)
{
    opac_status status = expect(array, BASE_JSON_ARRAY, error);
    if (status == OPAC_OK)
        *length = json_array_size(array.node);
    return status;
}

opac_status base_json_at(base_json_value array, size_t index, base_json_value *item,
                         opac_error *error)
{
    json_path where;
    size_t length;
    opac_status status = base_json_length(array, &length, error);
    if (status != OPAC_OK)
        return status;
    if (index >= length)
        return base_fail(error, OPAC_ERROR_SYNTAX, "%sexpected more than %zu items, got %zu",
                         path_of(array, &where), index, length);
    *item = (base_json_value){.document = array.document,
                              .node = json_array_get(array.node, index),
                              .container = array.node,
                              .index = index};
    return OPAC_OK;
}

/* Strings, booleans and numbers. */

opac_status base_json_string(base_json_value value, const char **text, size_t *length,
                             opac_error *error)
{
    opac_status status = expect(value, BASE_JSON_STRING, error);
    if (status != OPAC_OK)
        return status;
    *text = json_string_value(value.node);
    if (length != NULL)
        *length = json_string_length(value.node);
    return OPAC_OK;
}

opac_status base_json_bool(base_json_value value, bool *result, opac_error *error)
{
    opac_status status = expect(value, BASE_JSON_BOOL, error);
    if (status == OPAC_OK)
        *result = json_is_true(value.node);
    return status;
}

/* The text of a number that jansson could not hold, without the mark. */
static const char *large_number(base_json_value value)
{
    return json_string_value(value.node) + 1;
}

opac_status base_json_double(base_json_value value, double *result, opac_error *error)
{
    json_path where;
    opac_status status = expect(value, BASE_JSON_NUMBER, error);
    if (status != OPAC_OK)
        return status;
    if (!is_marked_number(value.node)) {
        *result = json_number_value(value.node);
        return OPAC_OK;
    }
    if (opac_number_parse(large_number(value), result, NULL) != OPAC_OK)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "%sa number too large or too long",
                         path_of(value, &where));
    return OPAC_OK;
}

opac_status base_json_number_text(base_json_value value, char *buffer, const char **text,
                                  opac_error *error)
{
    opac_status status = expect(value, BASE_JSON_NUMBER, error);
    if (status != OPAC_OK)
        return status;
    *text = buffer;
    if (is_marked_number(value.node))
        *text = large_number(value);
    else if (json_is_integer(value.node))
        snprintf(buffer, OPAC_NUMBER_SIZE, "%lld", (long long)json_integer_value(value.node));
    else
        opac_number_format(json_real_value(value.node), buffer);
    return OPAC_OK;
}

/* A whole number as sign and magnitude; exists: the value is one, and its magnitude fits. */
typedef struct json_whole {
    bool exists, negative;
    uint64_t magnitude;
} json_whole;

/* Fails for what is no number. Large ones, -2^63 and those from 2^63 to 2^64-1, come marked. */
static opac_status read_whole(base_json_value value, json_whole *whole, opac_error *error)
{
    opac_status status = expect(value, BASE_JSON_NUMBER, error);
    if (status != OPAC_OK)
        return status;
    if (is_marked_number(value.node)) {
        const char *text = large_number(value);
        whole->negative = text[0] == '-';
        whole->exists =
            strpbrk(text, ".eE") == NULL &&
            opac_number_parse_whole(text + whole->negative, &whole->magnitude, NULL) == OPAC_OK;
    } else {
        json_int_t number = json_integer_value(value.node);
        whole->negative = number < 0;
        whole->magnitude = whole->negative ? 0 - (uint64_t)number : (uint64_t)number;
        whole->exists = json_is_integer(value.node);
    }
    return OPAC_OK;
}

opac_status base_json_int64(base_json_value value, int64_t least, int64_t most, int64_t *result,
                            opac_error *error)
{
    json_path where;
    json_whole whole;
    opac_status status = read_whole(value, &whole, error);
    if (status != OPAC_OK)
        return status;
    if (whole.exists && whole.magnitude <= (uint64_t)INT64_MAX + whole.negative) {
        /* -m = -(m-1) - 1 keeps clear of -INT64_MIN. */
        int64_t number = whole.negative && whole.magnitude > 0 ? -(int64_t)(whole.magnitude - 1) - 1
                                                               : (int64_t)whole.magnitude;
        if (number >= least && number <= most) {
            *result = number;
            return OPAC_OK;
        }
    }
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "%sexpected a whole number from %" PRId64 " to %" PRId64,
                     path_of(value, &where), least, most);
}

opac_status base_json_uint64(base_json_value value, uint64_t least, uint64_t most, uint64_t *result,
                             opac_error *error)
{
    json_path where;
    json_whole whole;
    opac_status status = read_whole(value, &whole, error);
    if (status != OPAC_OK)
        return status;
    if (whole.exists && (!whole.negative || whole.magnitude == 0) && whole.magnitude >= least &&
        whole.magnitude <= most) {
        *result = whole.magnitude;
        return OPAC_OK;
    }
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "%sexpected a whole number from %" PRIu64 " to %" PRIu64,
                     path_of(value, &where), least, most);
}
