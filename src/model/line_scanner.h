/* SPDX-License-Identifier: MIT */
/* Scans a line of an explicit file: words separated by blanks, numbers, and errors with positions. */
#ifndef MODEL_LINE_SCANNER_H
#define MODEL_LINE_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/characters.h"
#include "base/error.h"
#include "base/ratio.h"

typedef struct model_scanner {
    const char *begin, *at, *end; /* of the line */
    uint32_t number;              /* of the line, from 1 */
} model_scanner;

static inline void model_scanner_skip_blanks(model_scanner *s)
{
    while (s->at < s->end && base_is_space(*s->at))
        s->at++;
}

/* Skips blanks and returns whether the line ends there. */
static inline bool model_scanner_at_end(model_scanner *s)
{
    model_scanner_skip_blanks(s);
    return s->at == s->end;
}

/* Skips blanks. If the character follows, skips it too and returns true. */
static inline bool model_scanner_accept(model_scanner *s, char character)
{
    model_scanner_skip_blanks(s);
    if (s->at == s->end || *s->at != character)
        return false;
    s->at++;
    return true;
}

/* Skips blanks and reads a word, up to the next blank; length 0 at the end of the line. */
static inline const char *model_scanner_word(model_scanner *s, size_t *length)
{
    model_scanner_skip_blanks(s);
    const char *word = s->at;
    while (s->at < s->end && !base_is_space(*s->at))
        s->at++;
    *length = (size_t)(s->at - word);
    return word;
}

/* The value of any number of digits; UINT64_MAX if it is larger. */
uint64_t model_digits_value(const char *begin, const char *end);

/*
 * Skips blanks and reads an unsigned integer. A number beyond 64 bits is read as UINT64_MAX. Returns false
 * if there are no digits.
 */
static inline bool model_scanner_uint(model_scanner *s, uint64_t *value)
{
    model_scanner_skip_blanks(s);
    const char *at = s->at, *begin = s->at;
    uint64_t result = 0;
    for (; at < s->end && base_is_digit(*at); at++)
        result = result * 10 + (uint64_t)(*at - '0');
    s->at = at;
    *value = at - begin < 20 ? result : model_digits_value(begin, at);
    return at > begin;
}

/*
 * Reads a signed integer such as "-17" at *at and advances *at. Returns false, without advancing, if there is
 * none or it does not fit in 64 bits.
 */
bool model_parse_integer(const char **at, const char *end, int64_t *value);

/* The column of a position in the line, in characters, from 1. */
uint32_t model_scanner_column(const model_scanner *s, const char *at);

/* Fails at the next word with "expected X, found 'Y'" or "expected X, but the line ends here". */
opac_status model_scanner_expected(model_scanner *s, const char *what, opac_error *error);

/*
 * Parses a decimal or a fraction, which must be the whole text. Like opac_number_parse, but many times
 * faster for short decimals. A fraction is rounded to the nearest double if its parts are exact. If ratio
 * is not NULL, it is set to the number as a fraction, or to an unknown one if it does not fit.
 */
opac_status model_parse_number(const char *text, size_t length, double *value, base_ratio *ratio,
                               opac_error *error);

#endif
