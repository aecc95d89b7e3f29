/* SPDX-License-Identifier: MIT */
/*
 * Reading JSON: a document is parsed whole and then read value by value.
 *
 *     base_json *document;
 *     base_json_value choices, choice, action;
 *     status = base_json_parse(bytes, length, &document, error);
 *     status = base_json_member(base_json_root(document), "choices", &choices, error);
 *     status = base_json_at(choices, 3, &choice, error);
 *     status = base_json_member(choice, "action", &action, error);
 *     status = base_json_string(action, &text, &length, error);
 *                    choices[3].action: expected a string, got a number
 *     base_json_free(document);
 *
 * Values are small and passed by copy. They, and the texts that they give, are
 * borrowed and die with the document. A document is only read after parsing:
 * several threads may do so.
 *
 * Errors of form have OPAC_ERROR_SYNTAX; those of parsing carry line and
 * column, those of reading the path of the value. Values out of their range
 * have OPAC_ERROR_ARGUMENT. Finding the path costs a walk over the document, and is
 * left out where the error is NULL.
 *
 * Refused are: texts that are not UTF-8 or begin with a byte order mark, a key
 * that occurs twice in an object, strings with NUL in them, and nesting beyond
 * 2048 (OPAC_ERROR_LIMIT).
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
    const struct base_json_node *node;      /* NULL: an optional member that is not there */
    const struct base_json_node *container; /* the object or array around it; NULL for the root */
    const char *key;                        /* its name in an object; NULL elsewhere */
    size_t index;                           /* its place in the array or object */
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
/* The same, but a key may occur twice, as it does where our writer replaced the bytes in which two names
 * differ, since they are not UTF-8. Each is met by base_json_next; which one is found is not specified. */
opac_status base_json_parse_own(const char *bytes, size_t length, base_json **document,
                                opac_error *error);
void base_json_free(base_json *document);

base_json_value base_json_root(const base_json *document);

/* The value is there, here and below. */
base_json_kind base_json_kind_of(base_json_value value);

/* Whether an optional member is there. */
static inline bool base_json_is_there(base_json_value value)
{
    return value.node != NULL;
}

/* A member that must be there, and one that need not be. A member that is null is there. */
opac_status base_json_member(base_json_value object, const char *name, base_json_value *member,
                             opac_error *error);
opac_status base_json_optional(base_json_value object, const char *name, base_json_value *member,
                               opac_error *error);

/* Fails when the object has a member that is not among the names, and suggests the nearest. */
opac_status base_json_only(base_json_value object, const char *const *names, size_t count,
                           opac_error *error);

/*
 * The members of an object in the order of the text; their names are in `key`:
 *
 *     base_json_value member = {0};
 *     while (base_json_next(object, &member))
 *         use(member.key, member);
 *
 * Of a value that is no object there are none.
 */
bool base_json_next(base_json_value object, base_json_value *member);

opac_status base_json_length(base_json_value array, size_t *length, opac_error *error);
opac_status base_json_at(base_json_value array, size_t index, base_json_value *item,
                         opac_error *error);

/* UTF-8, without NUL inside and with one behind. length may be NULL. */
opac_status base_json_string(base_json_value value, const char **text, size_t *length,
                             opac_error *error);
opac_status base_json_bool(base_json_value value, bool *result, opac_error *error);

/* Any number that a double can hold, rounded to the nearest. */
opac_status base_json_double(base_json_value value, double *result, opac_error *error);

/* A number as it was written, however long; borrowed from the document. */
opac_status base_json_number_text(base_json_value value, const char **text, opac_error *error);

/* Numbers written without fraction and exponent, from least to most. */
opac_status base_json_int64(base_json_value value, int64_t least, int64_t most, int64_t *result,
                            opac_error *error);
opac_status base_json_uint64(base_json_value value, uint64_t least, uint64_t most, uint64_t *result,
                             opac_error *error);

#endif
