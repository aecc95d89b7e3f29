/* SPDX-License-Identifier: MIT */
#include "base/json_key.h"

#include <string.h>

#include "base/alloc.h"
#include "base/output.h"
#include "base/utf8.h"

static void put_hexadecimal(opac_json *json, const unsigned char *bytes, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    char *text = base_alloc(2 * length, 1);
    if (text == NULL) {
        base_output_fail(json->out, OPAC_ERROR_MEMORY, "out of memory");
        return;
    }
    for (size_t i = 0; i < length; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    opac_json_bytes(json, text, 2 * length);
    base_free(text);
}

void base_json_put_key(opac_json *json, const void *bytes, size_t length)
{
    const char *text = length > 0 ? bytes : "";
    bool is_text =
        memchr(text, '\0', length) == NULL && base_utf8_check(text, length, NULL) == OPAC_OK;
    opac_json_key(json, is_text ? "key" : "key_hex");
    if (is_text)
        opac_json_bytes(json, text, length);
    else
        put_hexadecimal(json, bytes, length);
}
