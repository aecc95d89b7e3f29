/* SPDX-License-Identifier: MIT */
/*
 * Reads the members of a result, for its text. A result may come from a file, so members may be missing or
 * have another type: the functions then return the value given in their comment.
 */
#ifndef RESULT_READ_H
#define RESULT_READ_H

#include "base/json_read.h"

/* The member with a dotted path ("result.value"). base_json_is_there is false of it if it does not exist. */
base_json_value result_get(base_json_value object, const char *path);

/* A string, else NULL. */
const char *result_get_text(base_json_value object, const char *path);
/* A number, else NAN. */
double result_get_double(base_json_value object, const char *path);
/* An unsigned 64-bit integer, else 0. */
uint64_t result_get_uint(base_json_value object, const char *path);
/* The text of a number of any size ("1.63e1003"), else NULL. */
const char *result_get_digits(base_json_value object, const char *path);
/* Whether the member is true. */
bool result_get_bool(base_json_value object, const char *path);

/* Iterates over the members of an object, starting from a zeroed value; false at the end. */
bool result_next(base_json_value object, base_json_value *member);
/* The value as an unsigned 64-bit integer, else 0. */
uint64_t result_uint_of(base_json_value value);

/* The number of items of an array, else 0; and the item at an index. */
size_t result_count(base_json_value array);
base_json_value result_item(base_json_value array, size_t index);
/* The item as a string, else NULL. */
const char *result_item_text(base_json_value array, size_t index);

#endif
