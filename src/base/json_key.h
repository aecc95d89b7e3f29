/* SPDX-License-Identifier: MIT */
/* Writes the key of a state, which may be any bytes, as a member of a JSON object. */
#ifndef BASE_JSON_KEY_H
#define BASE_JSON_KEY_H

#include <stddef.h>

#include <omegapac/json.h>

/* Writes the member key, or key_hex with two digits for each byte if the bytes are not UTF-8 or contain a
 * NUL. */
void base_json_put_key(opac_json *json, const void *bytes, size_t length);

#endif
