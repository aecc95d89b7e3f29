/* SPDX-License-Identifier: MIT */
/*
 * Writes doubles with the fewest digits that read back as the same double.
 *
 * A decimal of at most 15 digits is preserved by conversion to a double and back (C17 5.2.4.2.2, DBL_DIG).
 * So if some decimal of at most 15 digits reads back as the value, then rounding the value to 15 digits
 * yields that decimal, followed by zeros. Otherwise 16 digits are tried, then 17, which always suffice.
 * Below a power of two, doubles are twice as dense as above it, so the nearest decimal of 16 digits may not
 * read back while its upper neighbour does: that one is tried, too. Subnormal doubles have less precision,
 * so all numbers of digits are tried.
 */
#include <omegapac/number.h>

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/characters.h"
#include "base/rounding.h"

typedef struct shortest {
    char digits[18];
    int count;
    int exponent; /* the value is d.ddd · 10^exponent */
} shortest;

/* Rounds the value to `count` digits. Only digits are copied, so the decimal point of the locale does not
 * matter. */
static void round_to(double value, int count, shortest *result)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    const char *e = strchr(text, 'e');
    result->count = 0;
    for (const char *at = text; at < e; at++)
        if (base_is_digit(*at))
            result->digits[result->count++] = *at;
    result->digits[result->count] = '\0';
    result->exponent = (int)strtol(e + 1, NULL, 10);
}

static double value_of(const shortest *candidate)
{
    char text[40];
    snprintf(text, sizeof text, "%se%d", candidate->digits,
             candidate->exponent - (candidate->count - 1));
    return strtod(text, NULL);
}

static bool reads_back(const shortest *candidate, double value)
{
    return value_of(candidate) == value;
}

/* Adds one to the last digit: 99 becomes 10, ten times as large. */
static void step_up(shortest *candidate)
{
    int at = candidate->count - 1;
    while (at >= 0 && candidate->digits[at] == '9')
        candidate->digits[at--] = '0';
    if (at >= 0) {
        candidate->digits[at]++;
    } else {
        candidate->digits[0] = '1';
        candidate->exponent++;
    }
}

/* Subtracts one from the last digit: 10 becomes 99, a tenth as large. */
static void step_down(shortest *candidate)
{
    int at = candidate->count - 1;
    while (candidate->digits[at] == '0')
        candidate->digits[at--] = '9';
    candidate->digits[at]--;
    if (candidate->digits[0] == '0') {
        memset(candidate->digits, '9', (size_t)candidate->count);
        candidate->exponent--;
    }
}

static void trim_zeros(shortest *number)
{
    while (number->count > 1 && number->digits[number->count - 1] == '0')
        number->digits[--number->count] = '\0';
}

static void find_shortest(double value, shortest *result)
{
    int count = value >= DBL_MIN ? DBL_DIG : 1;
    round_to(value, count, result);
    while (count < DBL_DIG && !reads_back(result, value))
        round_to(value, ++count, result);
    if (!reads_back(result, value)) {
        round_to(value, DBL_DIG + 1, result);
        if (!reads_back(result, value))
            step_up(result);
        if (!reads_back(result, value))
            round_to(value, DBL_DECIMAL_DIG, result);
    }
    trim_zeros(result);
}

/* 0.00012, 120000 or 12.5: with the point where the exponent says. */
static char *write_plain(const shortest *number, char *to)
{
    if (number->exponent < 0) {
        *to++ = '0';
        *to++ = '.';
        for (int i = -1; i > number->exponent; i--)
            *to++ = '0';
    }
    for (int i = 0; i < number->count || i <= number->exponent; i++) {
        if (i > 0 && i == number->exponent + 1)
            *to++ = '.';
        *to++ = i < number->count ? number->digits[i] : '0';
    }
    return to;
}

static char *write_scientific(const shortest *number, char *to)
{
    *to++ = number->digits[0];
    if (number->count > 1) {
        *to++ = '.';
        memcpy(to, number->digits + 1, (size_t)number->count - 1);
        to += number->count - 1;
    }
    return to + sprintf(to, "e%d", number->exponent);
}

static void write_number(const shortest *number, char *to)
{
    enum {
        LEAST_PLAIN = -5,
        LARGEST_PLAIN = 15
    };
    bool plain = number->exponent >= LEAST_PLAIN && number->exponent <= LARGEST_PLAIN;
    *(plain ? write_plain(number, to) : write_scientific(number, to)) = '\0';
}

/* Writes zero, infinities and NaN; false for other values. */
static bool write_special(double value, char *buffer)
{
    const char *sign = signbit(value) && !isnan(value) ? "-" : "";
    if (isfinite(value) && value != 0)
        return false;
    sprintf(buffer, "%s%s", sign, isnan(value) ? "nan" : isinf(value) ? "inf" : "0");
    return true;
}

static void write_signed(const shortest *number, bool is_negative, char *buffer)
{
    if (is_negative)
        buffer[0] = '-';
    write_number(number, buffer + is_negative);
    assert(strlen(buffer) < OPAC_NUMBER_SIZE);
}

char *opac_number_format(double value, char *buffer)
{
    shortest number;
    if (write_special(value, buffer))
        return buffer;
    find_shortest(fabs(value), &number);
    write_signed(&number, value < 0, buffer);
    return buffer;
}

double base_round_digits(double value, int digits)
{
    shortest number;
    if (!isfinite(value) || value == 0)
        return value;
    round_to(fabs(value), digits, &number);
    return copysign(value_of(&number), value);
}

/* The nearest decimal of that many digits in the given direction from the value. */
static char *format_towards(double value, int digits, bool up, char *buffer)
{
    shortest number;
    double magnitude = fabs(value);
    bool away = up == (value > 0); /* from 0 */
    assert(digits >= 1 && digits <= DBL_DECIMAL_DIG);
    if (write_special(value, buffer))
        return buffer;
    find_shortest(magnitude, &number);
    if (number.count > digits) {
        round_to(magnitude, digits, &number);
        if (away && value_of(&number) < magnitude)
            step_up(&number);
        if (!away && value_of(&number) > magnitude)
            step_down(&number);
        trim_zeros(&number);
    }
    write_signed(&number, value < 0, buffer);
    return buffer;
}

char *opac_number_format_up(double value, int digits, char *buffer)
{
    return format_towards(value, digits, true, buffer);
}

char *opac_number_format_down(double value, int digits, char *buffer)
{
    return format_towards(value, digits, false, buffer);
}
