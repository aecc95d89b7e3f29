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
 * The text is one line and always valid: strings are escaped, bytes that are
 * no UTF-8 become U+FFFD, doubles have the shortest form that reads back the
 * same, and those that JSON cannot hold (NaN, infinities) become null. Errors
 * of writing are the output's (see output.h).
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
    OPAC_JSON_DEPTH = 64
};

/* Private; lives wherever the caller puts it and needs no release. */
typedef struct opac_json {
    opac_output *out;
    uint64_t has_members; /* bit d: the container at depth d has something in it */
    unsigned depth;       /* at most OPAC_JSON_DEPTH */
    bool after_key;
} opac_json;

OPAC_API void opac_json_init(opac_json *json, opac_output *out);

OPAC_API void opac_json_begin_object(opac_json *json);
OPAC_API void opac_json_end_object(opac_json *json);
OPAC_API void opac_json_begin_array(opac_json *json);
OPAC_API void opac_json_end_array(opac_json *json);
OPAC_API void opac_json_key(opac_json *json, const char *key);

OPAC_API void opac_json_string(opac_json *json, const char *text);
OPAC_API void opac_json_bytes(opac_json *json, const char *bytes, size_t length);
OPAC_API void opac_json_uint(opac_json *json, uint64_t value);
OPAC_API void opac_json_int(opac_json *json, int64_t value);
OPAC_API void opac_json_double(opac_json *json, double value);
OPAC_API void opac_json_bool(opac_json *json, bool value);
OPAC_API void opac_json_null(opac_json *json);
/* A number that no C type holds, already in JSON's form ("1.6e1003"). */
OPAC_API void opac_json_number(opac_json *json, const char *text);

#ifdef __cplusplus
}
#endif

#endif
