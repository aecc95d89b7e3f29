/* SPDX-License-Identifier: MIT */
/*
 * Writing doubles in the shortest form that reads back the same.
 *
 * A decimal of at most 15 digits survives the way through a double (C17
 * 5.2.4.2.2, DBL_DIG), so if any such decimal reads back as the value, then
 * rounding to 15 digits gives it, with zeros behind. Otherwise 16 digits are
 * tried, then 17, which always suffice. At a power of two the spacing below is
 * half the one above, so the nearest 16-digit decimal may fail where its upper
 * neighbour succeeds: that one is tried too. Below the normal doubles there is
 * less precision, and all numbers of digits are tried.
 */
#include <omegapac/number.h>

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct shortest {
    char digits[18];
    int count;
    int exponent; /* the value is d.ddd · 10^exponent */
} shortest;

/* The value rounded to count digits. The decimal point's place is skipped, whatever it is. */
static void round_to(double value, int count, shortest *result)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    const char *e = strchr(text, 'e');
    result->count = 0;
    for (const char *at = text; at < e; at++)
        if (*at >= '0' && *at <= '9')
            result->digits[result->count++] = *at;
    result->digits[result->count] = '\0';
    result->exponent = (int)strtol(e + 1, NULL, 10);
}

static bool reads_back(const shortest *candidate, double value)
{
    char text[40];
    snprintf(text, sizeof text, "%se%d", candidate->digits,
             candidate->exponent - (candidate->count - 1));
    return strtod(text, NULL) == value;
}

/* Adds one to the last digit; false where that would need another digit. */
static bool step_up(shortest *candidate)
{
    int at = candidate->count - 1;
    while (at >= 0 && candidate->digits[at] == '9')
        candidate->digits[at--] = '0';
    if (at < 0)
        return false;
    candidate->digits[at]++;
    return true;
}

static void find_shortest(double value, shortest *result)
{
    int count = value >= DBL_MIN ? DBL_DIG : 1;
    round_to(value, count, result);
    while (count < DBL_DIG && !reads_back(result, value))
        round_to(value, ++count, result);
    if (!reads_back(result, value)) {
        round_to(value, DBL_DIG + 1, result);
        if (!reads_back(result, value) && !(step_up(result) && reads_back(result, value)))
            round_to(value, DBL_DECIMAL_DIG, result);
    }
    while (result->count > 1 && result->digits[result->count - 1] == '0')
        result->digits[--result->count] = '\0';
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

char *opac_number_format(double value, char *buffer)
{
    enum {
        LEAST_PLAIN = -5,
        LARGEST_PLAIN = 15
    };
    char *to = buffer;
    if (isnan(value))
        return strcpy(buffer, "nan");
    if (signbit(value))
        *to++ = '-';
    if (isinf(value)) {
        strcpy(to, "inf");
        return buffer;
    }
    if (value == 0) {
        strcpy(to, "0");
        return buffer;
    }
    shortest number;
    find_shortest(fabs(value), &number);
    bool plain = number.exponent >= LEAST_PLAIN && number.exponent <= LARGEST_PLAIN;
    to = plain ? write_plain(&number, to) : write_scientific(&number, to);
    *to = '\0';
    assert(to - buffer < OPAC_NUMBER_SIZE);
    return buffer;
}
