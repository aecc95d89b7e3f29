/* SPDX-License-Identifier: MIT */
/*
 * A growing byte string.
 *
 *     base_text text = {0};
 *     base_text_add(&text, "state ");
 *     base_text_format(&text, "%u", state);
 *     status = base_text_check(&text, error);      once, at the end
 *     char *result = base_text_take(&text);        or base_text_fini
 *
 * A lack of memory is stored: from then on nothing is added, and base_text_check fails. The bytes added
 * before are kept. The bytes are always followed by a NUL, and may contain NULs. A zeroed text is empty.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct base_text {
    char *bytes; /* NULL before the first addition; see base_text_get */
    size_t length, capacity;
    bool failed;
} base_text;

void base_text_fini(base_text *text);
/* Removes the bytes and the failure, and keeps the memory. */
void base_text_clear(base_text *text);

void base_text_add(base_text *text, const char *string);
void base_text_add_bytes(base_text *text, const void *bytes, size_t length);
void base_text_add_char(base_text *text, char character);

/* As printf. Must not be used with %f, %e or %g, whose output depends on the locale. */
void base_text_format(base_text *text, const char *format, ...) BASE_PRINTF(2, 3);
void base_text_format_list(base_text *text, const char *format, va_list arguments)
    BASE_PRINTF(2, 0);

/* Adds all bytes of a file (text_file.c). If `begins` is not NULL, and the first character is not one of
 * it, stops after the first part of the file. */
opac_status base_text_read_file(base_text *text, const char *path, const char *begins,
                                opac_error *error);

/* OPAC_ERROR_MEMORY if an addition failed. */
opac_status base_text_check(const base_text *text, opac_error *error);

/* The text, never NULL; valid until the next addition. */
const char *base_text_get(const base_text *text);

/* Transfers the bytes to the caller, who releases them by base_free; NULL after a failure. Empties the
 * text. */
char *base_text_take(base_text *text);

#endif
