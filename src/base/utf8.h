/* SPDX-License-Identifier: MIT */
/*
 * UTF-8: checking and counting (showing bytes of unknown origin is in text.h of
 * the public headers).
 *
 * Valid means valid by the Unicode standard (table 3-7): no overlong forms, no
 * surrogates, nothing beyond U+10FFFF.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The bytes of the valid character at the start, 1 to 4; 0 when there is none. */
size_t base_utf8_length(const char *bytes, size_t length);

/*
 * Whether all is valid UTF-8. If not: OPAC_ERROR_SYNTAX, with the line and the
 * column (in code points) of the first byte that does not belong.
 */
opac_status base_utf8_check(const char *bytes, size_t length, opac_error *error);

/* The line and the column (in code points), from 1, of the byte at a place. */
void base_utf8_place(const char *bytes, size_t at, uint32_t *line, uint32_t *column);

/* The number of code points; each byte that does not belong counts as one. */
size_t base_utf8_count(const char *bytes, size_t length);

#endif
