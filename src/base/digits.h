/* SPDX-License-Identifier: MIT */
/*
 * The decimal digits of a whole number, by hand: models and policies have tens of millions of
 * numbers, and printf takes four times as long.
 */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stddef.h>
#include <stdint.h>

enum {
    BASE_MAX_DIGITS = 20 /* of a uint64_t */
};

/* Writes the digits so that they end before `end`, without a NUL; returns where they begin. */
static inline char *base_digits(uint64_t value, char *end)
{
    do
        *--end = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    return end;
}

#endif
