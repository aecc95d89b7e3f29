/* SPDX-License-Identifier: MIT */
/*
 * Validates UTF-8 and counts code points. (To display untrusted bytes, see omegapac/text.h.)
 *
 * Valid means well-formed by the Unicode standard (table 3-7): no overlong forms, no surrogates, nothing
 * above U+10FFFF.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The length of the valid character at the start, 1 to 4 bytes; 0 if there is none. */
size_t base_utf8_length(const char *bytes, size_t length);

/* OPAC_ERROR_SYNTAX, with the line and the column (in code points) of the first invalid byte, unless all is
 * valid UTF-8. */
opac_status base_utf8_check(const char *bytes, size_t length, opac_error *error);

/* The line and the column (in code points), both from 1, of the byte at a position. */
void base_utf8_place(const char *bytes, size_t at, uint32_t *line, uint32_t *column);

/* The number of code points; each invalid byte counts as one. */
size_t base_utf8_count(const char *bytes, size_t length);

#endif
