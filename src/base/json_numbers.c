/* SPDX-License-Identifier: MIT */
/* One pass over a JSON text that knows strings, numbers, and the rest. */
#include "base/json_numbers.h"

#include <stdbool.h>
#include <string.h>

enum {
    SAFE_WHOLE_DIGITS = 18, /* so many digits are a number below 2^63 */
    SAFE_REAL_DIGITS = 200, /* with an exponent of two digits: below 1e300 */
    SAFE_EXPONENT_DIGITS = 2
};

typedef struct range {
    const char *bytes;
    size_t length;
} range;

/* The byte at a place, NUL behind the end. */
static char peek(range text, size_t at)
{
    return at < text.length ? text.bytes[at] : '\0';
}

static size_t skip_digits(range text, size_t at)
{
    while (peek(text, at) >= '0' && peek(text, at) <= '9')
        at++;
    return at;
}

static size_t skip_blanks(range text, size_t at)
{
    while (peek(text, at) == ' ' || peek(text, at) == '\t' || peek(text, at) == '\r' ||
           peek(text, at) == '\n')
        at++;
    return at;
}

/* Behind the string that begins at a quote; escapes are passed over unread. */
static size_t skip_string(range text, size_t at)
{
    for (at++; at < text.length && text.bytes[at] != '"'; at++)
        if (text.bytes[at] == '\\')
            at++;
    return at < text.length ? at + 1 : text.length;
}

/*
 * Scans what begins with a digit or a minus sign; *end is set behind it.
 * Whether it is a number by JSON's grammar, too large for jansson, and not in
 * the place of a key, where a string would be allowed and a number is not.
 */
static bool is_large_number(range text, size_t begin, size_t *end)
{
    size_t whole = begin + (text.bytes[begin] == '-'), at = skip_digits(text, whole);
    size_t whole_digits = at - whole, exponent_digits = 0;
    bool valid = whole_digits == 1 || (whole_digits > 1 && text.bytes[whole] != '0');
    bool is_whole = true;
    if (peek(text, at) == '.') {
        size_t fraction = at + 1;
        at = skip_digits(text, fraction);
        valid = valid && at > fraction;
        is_whole = false;
    }
    if (peek(text, at) == 'e' || peek(text, at) == 'E') {
        size_t exponent = at + 1 + (peek(text, at + 1) == '+' || peek(text, at + 1) == '-');
        at = skip_digits(text, exponent);
        exponent_digits = at - exponent;
        valid = valid && exponent_digits > 0;
        is_whole = false;
    }
    *end = at;
    bool large = is_whole
                     ? whole_digits > SAFE_WHOLE_DIGITS
                     : whole_digits > SAFE_REAL_DIGITS || exponent_digits > SAFE_EXPONENT_DIGITS;
    return valid && large && peek(text, skip_blanks(text, at)) != ':';
}

static bool begins_with_mark(range text, size_t at)
{
    size_t size = strlen(BASE_JSON_MARK_WRITTEN);
    return text.length - at >= size && memcmp(text.bytes + at, BASE_JSON_MARK_WRITTEN, size) == 0;
}

opac_status base_json_mark_numbers(const char *bytes, size_t length, base_text *marked,
                                   opac_error *error)
{
    range text = {bytes, length};
    size_t copied = 0; /* the text up to here is in `marked` */
    for (size_t at = 0, end; at < length; at = end) {
        end = at + 1;
        if (bytes[at] == '"') {
            if (begins_with_mark(text, at))
                return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                                 "a string begins with the control character U+0001");
            end = skip_string(text, at);
        } else if (bytes[at] == '-' || (bytes[at] >= '0' && bytes[at] <= '9')) {
            if (!is_large_number(text, at, &end))
                continue;
            base_text_add_bytes(marked, bytes + copied, at - copied);
            base_text_add(marked, BASE_JSON_MARK_WRITTEN);
            base_text_add_bytes(marked, bytes + at, end - at);
            base_text_add_char(marked, '"');
            copied = end;
        }
    }
    if (copied > 0)
        base_text_add_bytes(marked, bytes + copied, length - copied);
    return base_text_check(marked, error);
}
