/* SPDX-License-Identifier: MIT */
/*
 * Parses numbers. A decimal is converted to its significant digits and a power of ten, and passed to strtod
 * as "<digits>e<power>". That has no decimal point, so the result does not depend on the locale, and strtod
 * rounds correctly.
 */
#include <omegapac/number.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/characters.h"
#include "base/enclosure.h"
#include "base/error.h"

enum {
    MAX_DIGITS = 800, /* correct rounding to a double needs at most 767 digits */
    LARGEST_POWER = 100000
};

typedef struct decimal {
    char digits[MAX_DIGITS + 1]; /* without leading zeros; "" is zero */
    size_t count;
    long power; /* the value is digits · 10^power */
} decimal;

/*
 * Appends a digit. Digits after the first MAX_DIGITS are dropped; if one of them is not zero, and the last
 * stored digit is, that one becomes 1, so that the number is not mistaken for a tie.
 */
static void add_digit(decimal *number, char digit, bool behind_point)
{
    if (number->count == MAX_DIGITS) {
        if (digit != '0' && number->digits[MAX_DIGITS - 1] == '0')
            number->digits[MAX_DIGITS - 1] = '1';
        number->power += !behind_point;
        return;
    }
    if (number->count > 0 || digit != '0')
        number->digits[number->count++] = digit;
    number->power -= behind_point;
}

/* Reads [+-]digits after an e. Large exponents saturate; strtod then returns 0 or infinity. */
static const char *scan_exponent(const char *at, long *exponent)
{
    bool negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    if (!base_is_digit(*at))
        return NULL;
    long value = 0;
    for (; base_is_digit(*at); at++)
        if (value < LARGEST_POWER)
            value = value * 10 + (*at - '0');
    *exponent = negative ? -value : value;
    return at;
}

/* Reads a decimal without sign; returns its end, or NULL if there is none. */
static const char *scan_decimal(const char *at, decimal *number)
{
    bool any = false;
    *number = (decimal){.count = 0};
    for (; base_is_digit(*at); at++, any = true)
        add_digit(number, *at, false);
    if (*at == '.')
        for (at++; base_is_digit(*at); at++, any = true)
            add_digit(number, *at, true);
    if (!any)
        return NULL;
    if (*at == 'e' || *at == 'E') {
        long exponent = 0;
        at = scan_exponent(at + 1, &exponent);
        number->power += exponent;
    }
    return at;
}

static double decimal_value(const decimal *number)
{
    char text[MAX_DIGITS + 24];
    if (number->count == 0)
        return 0;
    snprintf(text, sizeof text, "%se%ld", number->digits, number->power);
    return strtod(text, NULL);
}

static opac_status not_a_number(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_SYNTAX,
                     "not a number: expected a decimal or a fraction, such as 0.05, 1e-3 or 1/20");
}

static opac_status too_small(opac_error *error)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT, "too small for a double, and not 0");
}

opac_status opac_number_parse(const char *text, double *value, opac_error *error)
{
    decimal number;
    bool negative = *text == '-';
    const char *at = scan_decimal(text + (*text == '-' || *text == '+'), &number);
    if (at == NULL)
        return not_a_number(error);
    bool zero = number.count == 0;
    double result = decimal_value(&number);
    if (*at == '/') {
        at = scan_decimal(at + 1, &number);
        if (at == NULL)
            return not_a_number(error);
        double denominator = decimal_value(&number);
        if (denominator == 0)
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             number.count == 0 ? "division by zero"
                                               : "the divisor is too small for a double");
        if (!zero && (result < DBL_MIN || denominator < DBL_MIN))
            return too_small(
                error); /* a subnormal double has few digits, and so has the quotient */
        result /= denominator;
    }
    if (*at != '\0')
        return not_a_number(error);
    if (result == 0 && !zero)
        return too_small(error);
    if (!isfinite(result))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "too large for a double");
    *value = negative ? -result : result;
    return OPAC_OK;
}

opac_status opac_number_parse_up(const char *text, double *value, opac_error *error)
{
    base_big number;
    TRY(opac_number_parse(text, value, error));
    const char *exact = text + (*text == '+');
    if (!base_big_parse(exact, strlen(exact), &number))
        return base_fail(error, OPAC_ERROR_LIMIT, "too many digits");
    base_enclosure found = base_enclosure_of_big(&number);
    if (found.low < DBL_MIN && found.high > -DBL_MIN && base_big_sign(&number) != 0)
        return too_small(error); /* subnormal numbers are not enclosed by neighbours */
    if (!isfinite(found.high))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "too large for a double");
    *value = found.high;
    return OPAC_OK;
}

/* Drops trailing zeros, so that the number is an integer if and only if power >= 0. */
static void trim_zeros(decimal *number)
{
    while (number->count > 0 && number->digits[number->count - 1] == '0') {
        number->digits[--number->count] = '\0';
        number->power++;
    }
}

opac_status opac_number_parse_whole(const char *text, uint64_t *value, opac_error *error)
{
    decimal number;
    const char *at = scan_decimal(text, &number);
    if (at != NULL && *at == '\0')
        trim_zeros(&number);
    if (at == NULL || *at != '\0' || (number.count > 0 && number.power < 0))
        return base_fail(error, OPAC_ERROR_SYNTAX,
                         "not a whole number: expected digits, such as 12 or 1e9");

    uint64_t result = 0;
    bool fits = number.count == 0 || (long)number.count + number.power <= 20;
    for (long i = 0; number.count > 0 && fits && i < (long)number.count + number.power; i++) {
        uint64_t digit = i < (long)number.count ? (uint64_t)(number.digits[i] - '0') : 0;
        fits = result <= (UINT64_MAX - digit) / 10;
        if (fits)
            result = result * 10 + digit;
    }
    if (!fits)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "too large: must be at most 18446744073709551615");
    *value = result;
    return OPAC_OK;
}
