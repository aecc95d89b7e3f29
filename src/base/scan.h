/* SPDX-License-Identifier: MIT */
/* Scans a text character by character, which need not end with a NUL; and parses exponents. */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include <stdbool.h>

#include "base/characters.h"

typedef struct base_scan {
    const char *at, *end;
} base_scan;

/* Skips the character and returns true if it is next. */
static inline bool base_scan_take(base_scan *s, char character)
{
    if (s->at == s->end || *s->at != character)
        return false;
    s->at++;
    return true;
}

static inline bool base_scan_is_digit(const base_scan *s)
{
    return s->at < s->end && base_is_digit(*s->at);
}

static inline void base_scan_blanks(base_scan *s)
{
    while (s->at < s->end && base_is_blank(*s->at))
        s->at++;
}

/* Adds the exponent, if there is one, to *power. Exponents beyond ±10^7 are reduced to one that still
 * exceeds the range of all number formats. False if the exponent has no digits. */
static inline bool base_scan_exponent(base_scan *s, int *power)
{
    enum {
        LARGEST = 10000000
    };
    if (!base_scan_take(s, 'e') && !base_scan_take(s, 'E'))
        return true;
    bool negative = base_scan_take(s, '-'), any = false;
    int value = 0;
    if (!negative)
        base_scan_take(s, '+');
    for (; base_scan_is_digit(s); s->at++) {
        any = true;
        value = value < LARGEST ? value * 10 + (*s->at - '0') : value;
    }
    *power += negative ? -value : value;
    return any;
}

#endif
