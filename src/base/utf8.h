/* SPDX-License-Identifier: MIT */
/* UTF-8, one character at a time (RFC 3629: no surrogates, nothing overlong). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* The length of the character that bytes begin with, 1 to 4; 0 if they begin with none. */
size_t base_utf8_length(const char *bytes, size_t length);

#endif
