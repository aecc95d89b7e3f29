/* SPDX-License-Identifier: MIT */
/*
 * A growing text.
 *
 *     base_text text = {0};
 *     base_text_add(&text, "state ");
 *     base_text_format(&text, "%u", state);
 *     status = base_text_check(&text, error);      once, at the end
 *     char *result = base_text_take(&text);        or base_text_fini
 *
 * Out of memory is remembered: from then on nothing is added, and check says
 * so. Whatever was added before stays. A NUL always follows the bytes, which
 * may themselves contain NULs. A text of all zeros is empty and owns nothing.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct base_text {
    char *bytes; /* NULL while nothing was added; see base_text_get */
    size_t length, capacity;
    bool failed;
} base_text;

void base_text_fini(base_text *text);
/* Forgets the bytes and the failure, and keeps the memory. */
void base_text_clear(base_text *text);

void base_text_add(base_text *text, const char *string);
void base_text_add_bytes(base_text *text, const void *bytes, size_t length);
void base_text_add_char(base_text *text, char character);

/* As printf. No %f, %e, %g: their output depends on the locale. */
void base_text_format(base_text *text, const char *format, ...) BASE_PRINTF(2, 3);
void base_text_format_list(base_text *text, const char *format, va_list arguments)
    BASE_PRINTF(2, 0);

/* Adds all bytes of a file (text_file.c). One whose first character is not in `begins`, if that is not
 * NULL, is left after its first piece. */
opac_status base_text_read_file(base_text *text, const char *path, const char *begins,
                                opac_error *error);

/* OPAC_OK, or OPAC_ERROR_MEMORY when something could not be added. */
opac_status base_text_check(const base_text *text, opac_error *error);

/* The text, never NULL; it dies with the next addition. */
const char *base_text_get(const base_text *text);

/* Hands the bytes over, to be released by base_free; NULL after a failure. The text is then empty.
 */
char *base_text_take(base_text *text);

#endif
