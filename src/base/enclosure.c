/* SPDX-License-Identifier: MIT */
#include "base/enclosure.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>

#include "base/alloc.h"

/* Below this, the error of a product or a quotient need not be a double. */
#define SMALLEST_SPLIT 0x1p-900

/* An exact decimal of a double has at most 767 digits. */
enum {
    MOST_DIGITS = 768,
    DIGITS_SIZE = MOST_DIGITS + 16
};

bool base_enclosure_is_known(base_enclosure a)
{
    return isfinite(a.low) && isfinite(a.high);
}

base_enclosure base_enclosure_unknown(void)
{
    return (base_enclosure){-INFINITY, INFINITY};
}

base_enclosure base_enclosure_of_double(double value)
{
    return (base_enclosure){value, value};
}

/* The number is value + error, where only the sign of the error matters; NaN: it may be any. */
static base_enclosure around(double value, double error)
{
    if (!isfinite(value))
        return base_enclosure_unknown();
    return (base_enclosure){error >= 0 ? value : nextafter(value, -INFINITY),
                            error <= 0 ? value : nextafter(value, INFINITY)};
}

static base_enclosure span(base_enclosure a, base_enclosure b)
{
    return (base_enclosure){fmin(a.low, b.low), fmax(a.high, b.high)};
}

/* ---- numbers ---- */

base_enclosure base_enclosure_of_integer(int64_t value)
{
    return base_enclosure_of_ratio(base_ratio_of_integer(value));
}

/* A fraction is a double if its denominator is a power of 2 and its numerator has 53 bits. */
static bool is_double(base_ratio ratio)
{
    const int64_t most = INT64_C(1) << 53;
    uint64_t denominator = (uint64_t)ratio.denominator;
    return (denominator & (denominator - 1)) == 0 && ratio.numerator <= most &&
           ratio.numerator >= -most;
}

base_enclosure base_enclosure_of_ratio(base_ratio ratio)
{
    return around(base_ratio_to_double(ratio), is_double(ratio) ? 0 : NAN);
}

/* 0.d1d2d3… · 10^exponent; d1 and the last digit are not 0. None: 0. */
typedef struct decimal {
    const char *text; /* digits, perhaps with a point between them */
    size_t length;
    long exponent;
} decimal;

/* Of 12.5e3; the exponent is clamped far beyond those of doubles. */
static long read_exponent(const char *text, size_t length)
{
    const long most = 1000000000;
    size_t i = 0;
    bool is_negative = length > 0 && text[0] == '-';
    long value = 0;
    if (length > 0 && (text[0] == '-' || text[0] == '+'))
        i++;
    for (; i < length; i++)
        value = value > most / 10 ? most : value * 10 + (text[i] - '0');
    return is_negative ? -value : value;
}

static decimal read_decimal(const char *text, size_t length)
{
    size_t end = 0, point, first = 0;
    while (end < length && strchr("0123456789.", text[end]) != NULL)
        end++;
    long exponent = end < length ? read_exponent(text + end + 1, length - end - 1) : 0;
    for (point = 0; point < end && text[point] != '.';)
        point++;
    while (first < end && (text[first] == '0' || text[first] == '.'))
        first++;
    exponent += first < point ? (long)(point - first) : -(long)(first - point - 1);
    while (end > first && (text[end - 1] == '0' || text[end - 1] == '.'))
        end--;
    return (decimal){text + first, end - first, end > first ? exponent : -INT32_MAX};
}

/* The next digit, 0 behind the last one. */
static char next_digit(const decimal *number, size_t *at)
{
    if (*at < number->length && number->text[*at] == '.')
        ++*at;
    return *at < number->length ? number->text[(*at)++] : '0';
}

/* The sign of a - b. */
static int compare_decimals(const decimal *a, const decimal *b)
{
    if (a->exponent != b->exponent)
        return a->exponent < b->exponent ? -1 : 1;
    for (size_t i = 0, j = 0; i < a->length || j < b->length;) {
        char left = next_digit(a, &i), right = next_digit(b, &j);
        if (left != right)
            return left < right ? -1 : 1;
    }
    return 0;
}

base_enclosure base_enclosure_parse(const char *text, size_t length)
{
    double value;
    char digits[DIGITS_SIZE];
    char *copy = base_copy_text(text, length);
    bool is_number = copy != NULL && length > 0 && strspn(copy, "0123456789.eE+-") == length &&
                     copy[0] != '-' && copy[0] != '+' &&
                     opac_number_parse(copy, &value, NULL) == OPAC_OK;
    base_free(copy);
    if (!is_number)
        return base_enclosure_unknown();
    snprintf(digits, sizeof digits, "%.*e", MOST_DIGITS, value);
    digits[1] = '.'; /* in every locale */
    const decimal written = read_decimal(text, length);
    const decimal nearest = read_decimal(digits, strlen(digits));
    return around(value, compare_decimals(&written, &nearest));
}

/* ---- operations ---- */

base_enclosure base_enclosure_negate(base_enclosure a)
{
    return (base_enclosure){-a.high, -a.low};
}

/* The error of a sum is a double (Knuth). */
static base_enclosure add(double a, double b)
{
    double sum = a + b, part = sum - a;
    return around(sum, (a - (sum - part)) + (b - part));
}

base_enclosure base_enclosure_add(base_enclosure a, base_enclosure b)
{
    return span(add(a.low, b.low), add(a.high, b.high));
}

static base_enclosure multiply(double a, double b)
{
    double product = a * b;
    if (a == 0 || b == 0)
        return base_enclosure_of_double(0);
    return around(product, fabs(product) < SMALLEST_SPLIT ? NAN : fma(a, b, -product));
}

base_enclosure base_enclosure_multiply(base_enclosure a, base_enclosure b)
{
    if (!base_enclosure_is_known(a) || !base_enclosure_is_known(b))
        return base_enclosure_unknown();
    return span(span(multiply(a.low, b.low), multiply(a.low, b.high)),
                span(multiply(a.high, b.low), multiply(a.high, b.high)));
}

static base_enclosure divide(double a, double b)
{
    double quotient = a / b;
    if (a == 0)
        return base_enclosure_of_double(0);
    if (fabs(quotient) < SMALLEST_SPLIT || fabs(a) < SMALLEST_SPLIT)
        return around(quotient, NAN);
    double rest = fma(-quotient, b, a);
    return around(quotient, b > 0 ? rest : -rest);
}

base_enclosure base_enclosure_divide(base_enclosure a, base_enclosure b)
{
    if (!base_enclosure_is_known(a) || !base_enclosure_is_known(b) || (b.low <= 0 && b.high >= 0))
        return base_enclosure_unknown();
    return span(span(divide(a.low, b.low), divide(a.low, b.high)),
                span(divide(a.high, b.low), divide(a.high, b.high)));
}

base_enclosure base_enclosure_power(base_enclosure a, int64_t exponent)
{
    base_enclosure result = base_enclosure_of_double(1);
    uint64_t rest = exponent < 0 ? 0 - (uint64_t)exponent : (uint64_t)exponent;
    for (; rest > 0; rest >>= 1) {
        if ((rest & 1) != 0)
            result = base_enclosure_multiply(result, a);
        if (rest > 1)
            a = base_enclosure_multiply(a, a);
    }
    return exponent < 0 ? base_enclosure_divide(base_enclosure_of_double(1), result) : result;
}
