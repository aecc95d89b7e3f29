/* SPDX-License-Identifier: MIT */
/*
 * Reads JSON: a document is parsed as a whole, and then read value by value.
 *
 *     base_json *document;
 *     base_json_value choices, choice, action;
 *     status = base_json_parse(bytes, length, &document, error);
 *     status = base_json_member(base_json_root(document), "choices", &choices, error);
 *     status = base_json_at(choices, 3, &choice, error);
 *     status = base_json_member(choice, "action", &action, error);
 *     status = base_json_string(action, &text, &length, error);
 *                    choices[3].action: expected a string, found a number
 *     base_json_free(document);
 *
 * Values are small and passed by copy. Values and their texts are valid as long as the document. A parsed
 * document is not modified, so several threads may read it.
 *
 * Errors of form are OPAC_ERROR_SYNTAX: those of the parser have a line and a column, those of the other
 * functions begin with the path of the value. Values outside their range are OPAC_ERROR_ARGUMENT. Finding
 * the path takes a traversal of the document, which is omitted if error is NULL.
 *
 * The parser rejects texts that are not UTF-8 or begin with a byte order mark, a key that occurs twice in
 * an object, strings that contain NUL, and nesting deeper than 2048 (OPAC_ERROR_LIMIT).
 */
#ifndef BASE_JSON_READ_H
#define BASE_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct base_json_node;

typedef struct base_json base_json;

typedef struct base_json_value {
    const base_json *document;
    const struct base_json_node *node;      /* NULL: an optional member that does not exist */
    const struct base_json_node *container; /* the object or array around it; NULL for the root */
    const char *key;                        /* its name in an object, else NULL */
    size_t index;                           /* in the array or object */
} base_json_value;

typedef enum base_json_kind {
    BASE_JSON_OBJECT,
    BASE_JSON_ARRAY,
    BASE_JSON_STRING,
    BASE_JSON_NUMBER,
    BASE_JSON_BOOL,
    BASE_JSON_NULL
} base_json_kind;

opac_status base_json_parse(const char *bytes, size_t length, base_json **document,
                            opac_error *error);
/* As base_json_parse, but accepts repeated keys: two names that differ only in bytes that are not UTF-8
 * become equal when the JSON writer replaces these bytes. base_json_next returns each of them; which one
 * base_json_member finds is not specified. */
opac_status base_json_parse_own(const char *bytes, size_t length, base_json **document,
                                opac_error *error);
void base_json_free(base_json *document);

base_json_value base_json_root(const base_json *document);

/* Here and below, the value must exist. */
base_json_kind base_json_kind_of(base_json_value value);

/* Whether an optional member exists. */
static inline bool base_json_is_there(base_json_value value)
{
    return value.node != NULL;
}

/* A required and an optional member. A member that is null exists. */
opac_status base_json_member(base_json_value object, const char *name, base_json_value *member,
                             opac_error *error);
opac_status base_json_optional(base_json_value object, const char *name, base_json_value *member,
                               opac_error *error);

/* Fails if the object has a member that is not among the names; the message suggests the nearest name. */
opac_status base_json_only(base_json_value object, const char *const *names, size_t count,
                           opac_error *error);

/*
 * The members of an object in the order of the text; their names are in `key`:
 *
 *     base_json_value member = {0};
 *     while (base_json_next(object, &member))
 *         use(member.key, member);
 *
 * A value that is not an object has no members.
 */
bool base_json_next(base_json_value object, base_json_value *member);

opac_status base_json_length(base_json_value array, size_t *length, opac_error *error);
opac_status base_json_at(base_json_value array, size_t index, base_json_value *item,
                         opac_error *error);

/* UTF-8, followed by the only NUL. length may be NULL. */
opac_status base_json_string(base_json_value value, const char **text, size_t *length,
                             opac_error *error);
opac_status base_json_bool(base_json_value value, bool *result, opac_error *error);

/* Any number in the range of doubles, rounded to the nearest. */
opac_status base_json_double(base_json_value value, double *result, opac_error *error);

/* A number as it was written, however long; borrowed from the document. */
opac_status base_json_number_text(base_json_value value, const char **text, opac_error *error);

/* Integers from least to most, written without fraction and exponent. */
opac_status base_json_int64(base_json_value value, int64_t least, int64_t most, int64_t *result,
                            opac_error *error);
opac_status base_json_uint64(base_json_value value, uint64_t least, uint64_t most, uint64_t *result,
                             opac_error *error);

#endif
