/* SPDX-License-Identifier: MIT */
/*
 * Writes JSON incrementally, without a document tree.
 *
 *     opac_json json;
 *     opac_json_init(&json, out);
 *     opac_json_begin_object(&json);
 *     opac_json_key(&json, "k");
 *     opac_json_uint(&json, 71394132);
 *     opac_json_end_object(&json);            // {"k": 71394132}
 *
 * The output is valid JSON on one line. Strings are escaped, invalid UTF-8 becomes U+FFFD, doubles have the
 * shortest decimal that reads back the same, and NaN and infinities become null.
 *
 * A misplaced call makes the output fail: a value in an object without a key, a key outside of an object, a
 * key without a value, the end of another than the innermost container, a value after the document, or
 * nesting beyond OPAC_JSON_DEPTH. As for a write error, later text is dropped, and opac_output_commit
 * reports the error (OPAC_ERROR_ARGUMENT, "JSON: …"; see output.h). The caller must end all containers
 * before the commit and use different keys; this is not checked.
 *
 * An opac_json is owned by the caller, borrows the output, and needs no release. It must be used by one
 * thread at a time.
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
    OPAC_JSON_DEPTH = 64 /* maximum nesting of containers */
};

/* The state of a writer. The members are private. */
typedef struct opac_json {
    opac_output *out;     /* the output */
    uint64_t has_members; /* bit d: the container at depth d is not empty */
    uint64_t is_object;   /* bit d: the container at depth d is an object */
    unsigned depth;       /* number of open containers */
    bool has_value;       /* the document has begun */
    bool after_key;       /* a key has been written without its value */
} opac_json;

/* Initialises a writer for one document. Call it again for another document in the same output. */
OPAC_API void opac_json_init(opac_json *json, opac_output *out);

/* Begin and end containers; opac_json_key precedes each value of an object. */
OPAC_API void opac_json_begin_object(opac_json *json);
OPAC_API void opac_json_end_object(opac_json *json);
OPAC_API void opac_json_begin_array(opac_json *json);
OPAC_API void opac_json_end_array(opac_json *json);
OPAC_API void opac_json_key(opac_json *json, const char *key);

/* Write values. opac_json_string takes NUL-terminated text, opac_json_bytes text with a length. */
OPAC_API void opac_json_string(opac_json *json, const char *text);
OPAC_API void opac_json_bytes(opac_json *json, const char *bytes, size_t length);
OPAC_API void opac_json_uint(opac_json *json, uint64_t value);
OPAC_API void opac_json_int(opac_json *json, int64_t value);
OPAC_API void opac_json_double(opac_json *json, double value);
OPAC_API void opac_json_bool(opac_json *json, bool value);
OPAC_API void opac_json_null(opac_json *json);
/* Writes a number beyond the range of C types from its JSON text ("1.6e1003"), which is not checked. */
OPAC_API void opac_json_number(opac_json *json, const char *text);

#ifdef __cplusplus
}
#endif

#endif
