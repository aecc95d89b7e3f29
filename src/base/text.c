/* SPDX-License-Identifier: MIT */
/* A growing byte string. Cost: amortised constant time a byte. */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

void base_text_fini(base_text *text)
{
    base_free(text->bytes);
    *text = (base_text){0};
}

void base_text_clear(base_text *text)
{
    text->length = 0;
    text->failed = false;
    if (text->bytes != NULL)
        text->bytes[0] = '\0';
}

/* Reserves memory for that many more bytes and a NUL. */
static bool reserve(base_text *text, size_t more)
{
    if (text->failed || more >= SIZE_MAX - text->length) {
        text->failed = true;
        return false;
    }
    void *bytes = text->bytes;
    if (base_reserve(&bytes, &text->capacity, text->length + more + 1, 1, NULL) != OPAC_OK)
        text->failed = true;
    text->bytes = bytes;
    return !text->failed;
}

void base_text_add(base_text *text, const char *string)
{
    base_text_add_bytes(text, string, strlen(string));
}

void base_text_add_bytes(base_text *text, const void *bytes, size_t length)
{
    if (!reserve(text, length))
        return;
    if (length > 0)
        memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void base_text_add_char(base_text *text, char character)
{
    base_text_add_bytes(text, &character, 1);
}

void base_text_format_list(base_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0) /* a result beyond INT_MAX */
        text->failed = true;
    if (length >= 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void base_text_format(base_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    base_text_format_list(text, format, arguments);
    va_end(arguments);
}

opac_status base_text_check(const base_text *text, opac_error *error)
{
    return text->failed ? base_fail_memory(error) : OPAC_OK;
}

const char *base_text_get(const base_text *text)
{
    return text->bytes != NULL ? text->bytes : "";
}

char *base_text_take(base_text *text)
{
    if (!reserve(text, 0)) { /* also gives an empty text its NUL */
        base_text_fini(text);
        return NULL;
    }
    text->bytes[text->length] = '\0';
    char *bytes = text->bytes;
    *text = (base_text){0};
    return bytes;
}
