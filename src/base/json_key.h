/* SPDX-License-Identifier: MIT */
/* The key of a state, bytes of any kind, as a member of a JSON object. */
#ifndef BASE_JSON_KEY_H
#define BASE_JSON_KEY_H

#include <stddef.h>

#include <omegapac/json.h>

/* The member key, a text; or key_hex, two digits for each byte, if the bytes are not UTF-8 or have a NUL. */
void base_json_put_key(opac_json *json, const void *bytes, size_t length);

#endif
