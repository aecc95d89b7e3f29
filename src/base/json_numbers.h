/* SPDX-License-Identifier: MIT */
/*
 * Numbers that jansson refuses: whole ones beyond 63 bits, and those beyond
 * the range of a double. JSON allows them and our writer writes them
 * (18446744073709551615, 1.6e1003). Before parsing, each becomes a string with
 * a mark in front:
 *
 *     1.6e1003   ►   "\u00011.6e1003"
 *
 * A string of the text's own that begins with the mark is refused, so that a
 * marked string is always a number.
 */
#ifndef BASE_JSON_NUMBERS_H
#define BASE_JSON_NUMBERS_H

#include "base/text.h"

#define BASE_JSON_MARK         '\x01'
#define BASE_JSON_MARK_WRITTEN "\"\\u0001"

enum {
    BASE_JSON_MARK_COLUMNS = 8 /* what the mark and the quotes add to a line */
};

/*
 * Appends the text with its large numbers marked. If there are none, which is
 * the rule, appends nothing: parse the text as it is. Linear time. The text
 * need not be valid JSON; what is wrong with it stays wrong.
 */
opac_status base_json_mark_numbers(const char *bytes, size_t length, base_text *marked,
                                   opac_error *error);

#endif
