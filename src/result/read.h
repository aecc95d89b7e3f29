/* SPDX-License-Identifier: MIT */
/*
 * Reading the members of a result, for its text. A result may come from a file: where a member is missing
 * or of another type, the functions say so by a value of their own, and nothing fails.
 */
#ifndef RESULT_READ_H
#define RESULT_READ_H

#include "base/json_read.h"

/* A member; not there if there is none, or the value is no object. A path has dots: "result.value". */
base_json_value result_get(base_json_value object, const char *path);

/* Its value. NULL: it is no text. */
const char *result_get_text(base_json_value object, const char *path);
/* NAN: it is no number. */
double result_get_double(base_json_value object, const char *path);
/* 0: it is no whole number of 64 bits. */
uint64_t result_get_uint(base_json_value object, const char *path);
/* A number as it is written, of any size ("1.63e1003"). NULL: it is none. */
const char *result_get_digits(base_json_value object, const char *path);
/* Whether it is true. */
bool result_get_bool(base_json_value object, const char *path);

/* The next member of an object, from an empty one on; false: there is no other, or it is no object. */
bool result_next(base_json_value object, base_json_value *member);
/* A value that is a whole number of 64 bits; 0: it is none. */
uint64_t result_uint_of(base_json_value value);

/* How many items an array has; 0: it is none. And one of them. */
size_t result_count(base_json_value array);
base_json_value result_item(base_json_value array, size_t index);
/* An item that is a text; NULL: it is none. */
const char *result_item_text(base_json_value array, size_t index);

#endif
