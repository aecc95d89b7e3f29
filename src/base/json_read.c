/* SPDX-License-Identifier: MIT */
/* Typed access to a JSON document, with errors that name the path of the value. */
#include "base/json_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/text.h>

#include "base/json_node.h"

typedef struct base_json_node json_node;

base_json_value base_json_root(const base_json *document)
{
    return (base_json_value){.document = document, .node = &document->root};
}

/* The path of a value, for errors. It is written from its end, since the search finds it in that order. */

typedef struct json_path {
    char text[200];
    size_t begin; /* of the text so far */
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

/* Searches for a container below a node; prepends its path when it returns. */
static bool prepend_path(json_path *path, const json_node *node, const json_node *container)
{
    if (node == container)
        return true;
    if (node->kind == BASE_JSON_OBJECT)
        for (size_t i = 0; i < node->count; i++)
            if (prepend_path(path, &node->as.members[i].value, container)) {
                prepend_member(path, node->as.members[i].key);
                return true;
            }
    if (node->kind == BASE_JSON_ARRAY)
        for (size_t i = 0; i < node->count; i++)
            if (prepend_path(path, &node->as.items[i], container)) {
                prepend_index(path, i);
                return true;
            }
    return false;
}

/* "choices[3].action: ", or "" for the root. If error is NULL, the document is not searched. */
static const char *path_of(base_json_value value, json_path *path, const opac_error *error)
{
    path->begin = sizeof path->text - 1;
    path->text[path->begin] = '\0';
    path->is_cut = false;
    if (value.container == NULL || error == NULL)
        return "";
    prepend(path, ": ");
    if (value.key != NULL)
        prepend_member(path, value.key);
    else
        prepend_index(path, value.index);
    prepend_path(path, &value.document->root, value.container);
    const char *text = path->text + path->begin;
    return text[0] == '.' && !path->is_cut ? text + 1 : text;
}

/* Kinds. */

base_json_kind base_json_kind_of(base_json_value value)
{
    return value.node->kind;
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
    return base_fail(error, OPAC_ERROR_SYNTAX, "%sexpected %s, found %s",
                     path_of(value, &where, error), kind_name(kind), kind_name(got));
}

/* Objects. */

static base_json_value value_of(base_json_value object, const base_json_pair *member)
{
    return (base_json_value){.document = object.document,
                             .node = &member->value,
                             .container = object.node,
                             .key = member->key,
                             .index = (size_t)(member - object.node->as.members)};
}

opac_status base_json_optional(base_json_value object, const char *name, base_json_value *member,
                               opac_error *error)
{
    TRY(expect(object, BASE_JSON_OBJECT, error));
    const base_json_pair *found = base_json_find(object.node, name);
    *member = (base_json_value){.document = object.document, .container = object.node};
    if (found != NULL)
        *member = value_of(object, found);
    return OPAC_OK;
}

opac_status base_json_member(base_json_value object, const char *name, base_json_value *member,
                             opac_error *error)
{
    json_path where;
    TRY(base_json_optional(object, name, member, error));
    if (member->node == NULL)
        return base_fail(error, OPAC_ERROR_SYNTAX, "%smember '%s' is missing",
                         path_of(object, &where, error), name);
    return OPAC_OK;
}

static opac_status fail_unknown(base_json_value object, const char *key, const char *const *names,
                                size_t count, opac_error *error)
{
    json_path where;
    char shown[60];
    const char *nearest = opac_text_nearest(key, names, count);
    return base_fail(error, OPAC_ERROR_SYNTAX, "%sunknown member '%s'%s%s%s",
                     path_of(object, &where, error),
                     opac_text_show(key, strlen(key), shown, sizeof shown),
                     nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "'?" : "");
}

opac_status base_json_only(base_json_value object, const char *const *names, size_t count,
                           opac_error *error)
{
    TRY(expect(object, BASE_JSON_OBJECT, error));
    base_json_value member = {0};
    while (base_json_next(object, &member)) {
        size_t i = 0;
        while (i < count && strcmp(member.key, names[i]) != 0)
            i++;
        if (i == count)
            return fail_unknown(object, member.key, names, count, error);
    }
    return OPAC_OK;
}

bool base_json_next(base_json_value object, base_json_value *member)
{
    size_t next = member->key != NULL ? member->index + 1 : 0;
    *member = (base_json_value){0};
    if (object.node->kind != BASE_JSON_OBJECT || next == object.node->count)
        return false;
    *member = value_of(object, &object.node->as.members[next]);
    return true;
}

/* Arrays. */

opac_status base_json_length(base_json_value array, size_t *length, opac_error *error)
{
    TRY(expect(array, BASE_JSON_ARRAY, error));
    *length = array.node->count;
    return OPAC_OK;
}

opac_status base_json_at(base_json_value array, size_t index, base_json_value *item,
                         opac_error *error)
{
    json_path where;
    size_t length;
    TRY(base_json_length(array, &length, error));
    if (index >= length)
        return base_fail(error, OPAC_ERROR_SYNTAX, "%sexpected more than %zu items, found %zu",
                         path_of(array, &where, error), index, length);
    *item = (base_json_value){.document = array.document,
                              .node = &array.node->as.items[index],
                              .container = array.node,
                              .index = index};
    return OPAC_OK;
}

/* Strings, booleans and numbers. */

opac_status base_json_string(base_json_value value, const char **text, size_t *length,
                             opac_error *error)
{
    TRY(expect(value, BASE_JSON_STRING, error));
    *text = value.node->as.text;
    if (length != NULL)
        *length = value.node->count;
    return OPAC_OK;
}

opac_status base_json_bool(base_json_value value, bool *result, opac_error *error)
{
    TRY(expect(value, BASE_JSON_BOOL, error));
    *result = value.node->is_true;
    return OPAC_OK;
}

opac_status base_json_double(base_json_value value, double *result, opac_error *error)
{
    json_path where;
    TRY(expect(value, BASE_JSON_NUMBER, error));
    if (opac_number_parse(value.node->as.text, result, NULL) != OPAC_OK)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "%sthe number is too large or too small for a double",
                         path_of(value, &where, error));
    return OPAC_OK;
}

opac_status base_json_number_text(base_json_value value, const char **text, opac_error *error)
{
    TRY(expect(value, BASE_JSON_NUMBER, error));
    *text = value.node->as.text;
    return OPAC_OK;
}

/* An integer as sign and magnitude. exists: the value is an integer, and its magnitude fits. */
typedef struct json_whole {
    bool exists, negative;
    uint64_t magnitude;
} json_whole;

/* Fails only if the value is not a number. */
static opac_status read_whole(base_json_value value, json_whole *whole, opac_error *error)
{
    TRY(expect(value, BASE_JSON_NUMBER, error));
    const char *text = value.node->as.text;
    whole->negative = text[0] == '-';
    whole->exists =
        strpbrk(text, ".eE") == NULL &&
        opac_number_parse_whole(text + whole->negative, &whole->magnitude, NULL) == OPAC_OK;
    return OPAC_OK;
}

opac_status base_json_int64(base_json_value value, int64_t least, int64_t most, int64_t *result,
                            opac_error *error)
{
    json_path where;
    json_whole whole;
    TRY(read_whole(value, &whole, error));
    if (whole.exists && whole.magnitude <= (uint64_t)INT64_MAX + whole.negative) {
        /* -m = -(m-1) - 1 avoids the overflow of -INT64_MIN. */
        int64_t number = whole.negative && whole.magnitude > 0 ? -(int64_t)(whole.magnitude - 1) - 1
                                                               : (int64_t)whole.magnitude;
        if (number >= least && number <= most) {
            *result = number;
            return OPAC_OK;
        }
    }
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "%sexpected a whole number from %" PRId64 " to %" PRId64,
                     path_of(value, &where, error), least, most);
}

opac_status base_json_uint64(base_json_value value, uint64_t least, uint64_t most, uint64_t *result,
                             opac_error *error)
{
    json_path where;
    json_whole whole;
    TRY(read_whole(value, &whole, error));
    if (whole.exists && (!whole.negative || whole.magnitude == 0) && whole.magnitude >= least &&
        whole.magnitude <= most) {
        *result = whole.magnitude;
        return OPAC_OK;
    }
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "%sexpected a whole number from %" PRIu64 " to %" PRIu64,
                     path_of(value, &where, error), least, most);
}
