/* SPDX-License-Identifier: MIT */
/*
 * Writing JSON as it is computed, with no tree in between.
 *
 *     opac_json json;
 *     opac_json_init(&json, out);
 *     opac_json_begin_object(&json);
 *     opac_json_key(&json, "k");
 *     opac_json_uint(&json, 71394132);
 *     opac_json_end_object(&json);            // {"k": 71394132}
 *
 * The text is one line and valid: strings are escaped, bytes that are no UTF-8
 * become U+FFFD, doubles have the shortest form that reads back the same, and
 * those that JSON cannot hold (NaN, infinities) become null.
 *
 * A call that does not fit where it stands fails the output: a value in an
 * object without a key before it, a key elsewhere than in an object, a key
 * without a value, an end that is not that of the innermost container, a value
 * behind the whole one, more than OPAC_JSON_DEPTH containers in each other. As
 * with an error of writing, all later text is dropped, and opac_output_commit
 * reports it (OPAC_ERROR_ARGUMENT, "JSON: …"; see output.h). Not checked: that
 * all containers were ended before the commit, and that keys differ.
 *
 * An opac_json belongs to the caller, borrows the output, and needs no release. One thread at a
 * time writes.
 */
#ifndef OMEGAPAC_JSON_H
#define OMEGAPAC_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include <omegapac/export.h>
#include <omegapac/output.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    OPAC_JSON_DEPTH = 64 /* containers in each other, at most */
};

/* Private; lives wherever the caller puts it and needs no release. */
typedef struct opac_json {
    opac_output *out;     /* where it goes to */
    uint64_t has_members; /* bit d: the container at depth d has something in it */
    uint64_t is_object;   /* bit d: it is an object, not an array */
    unsigned depth;       /* how many containers are open */
    bool has_value;       /* the one at the top has begun */
    bool after_key;       /* a key waits for its value */
} opac_json;

/* For one value; the next one to the same output, if any, takes another init. */
OPAC_API void opac_json_init(opac_json *json, opac_output *out);

/* Containers, and the key before each value of an object. */
OPAC_API void opac_json_begin_object(opac_json *json);
OPAC_API void opac_json_end_object(opac_json *json);
OPAC_API void opac_json_begin_array(opac_json *json);
OPAC_API void opac_json_end_array(opac_json *json);
OPAC_API void opac_json_key(opac_json *json, const char *key);

/* Values. A string ends at its NUL; bytes are as many as are said. */
OPAC_API void opac_json_string(opac_json *json, const char *text);
OPAC_API void opac_json_bytes(opac_json *json, const char *bytes, size_t length);
OPAC_API void opac_json_uint(opac_json *json, uint64_t value);
OPAC_API void opac_json_int(opac_json *json, int64_t value);
OPAC_API void opac_json_double(opac_json *json, double value);
OPAC_API void opac_json_bool(opac_json *json, bool value);
OPAC_API void opac_json_null(opac_json *json);
/* A number that no C type holds, already in JSON's form ("1.6e1003"), which is not checked. */
OPAC_API void opac_json_number(opac_json *json, const char *text);

#ifdef __cplusplus
}
#endif

#endif
