/* SPDX-License-Identifier: MIT */
/*
 * A line of an explicit file under the eye of a reader: words with blanks
 * between them, numbers, and messages that name the place.
 */
#ifndef MODEL_LINE_SCANNER_H
#define MODEL_LINE_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/characters.h"
#include "base/error.h"
#include "base/ratio.h"

typedef struct model_scan {
    const char *begin, *at, *end; /* of the line */
    uint32_t number;              /* of the line, from 1 */
} model_scan;

static inline void model_scan_blanks(model_scan *s)
{
    while (s->at < s->end && base_is_space(*s->at))
        s->at++;
}

/* Whether the line is over, blanks aside. */
static inline bool model_scan_is_over(model_scan *s)
{
    model_scan_blanks(s);
    return s->at == s->end;
}

/* Takes the character, with blanks before it. */
static inline bool model_scan_take(model_scan *s, char character)
{
    model_scan_blanks(s);
    if (s->at == s->end || *s->at != character)
        return false;
    s->at++;
    return true;
}

/* Up to the next blank; length 0 at the end of the line. */
static inline const char *model_scan_word(model_scan *s, size_t *length)
{
    model_scan_blanks(s);
    const char *word = s->at;
    while (s->at < s->end && !base_is_space(*s->at))
        s->at++;
    *length = (size_t)(s->at - word);
    return word;
}

/* The value of digits, as many as there may be; the largest number when it is beyond. */
uint64_t model_digits_value(const char *begin, const char *end);

/*
 * Digits, with blanks before them. A number beyond 64 bits is taken for the
 * largest one. False, and nothing is taken, when there is none.
 */
static inline bool model_scan_whole(model_scan *s, uint64_t *value)
{
    model_scan_blanks(s);
    const char *at = s->at, *begin = s->at;
    uint64_t result = 0;
    for (; at < s->end && base_is_digit(*at); at++)
        result = result * 10 + (uint64_t)(*at - '0');
    s->at = at;
    *value = at - begin < 20 ? result : model_digits_value(begin, at);
    return at > begin;
}

/*
 * "-17" or "17", from *at on, which is then behind it. False, and nothing is
 * taken, when there is none, or none of 64 bits.
 */
bool model_take_integer(const char **at, const char *end, int64_t *value);

/* The column of a place in the line, from 1, in characters. */
uint32_t model_scan_column(const model_scan *s, const char *at);

/* "expected X, found 'Y'", or "…, but the line ends here", at the next word. */
opac_status model_scan_expected(model_scan *s, const char *what, opac_error *error);

/*
 * A decimal or a fraction, all of the text, as by opac_number_parse but many
 * times faster where the decimal is short. A fraction whose parts are exact is
 * the nearest double. ratio, if not NULL, becomes the number as a fraction,
 * perhaps unknown.
 */
opac_status model_scan_number(const char *text, size_t length, double *value, base_ratio *ratio,
                              opac_error *error);

#endif
