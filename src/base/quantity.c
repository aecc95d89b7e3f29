/* SPDX-License-Identifier: MIT */
/* Formats durations and counts. Digits are printed as integers, since printf of doubles depends on the
 * locale. */
#include "base/quantity.h"

#include <math.h>
#include <stdio.h>

enum {
    DIGITS_SIZE = 24
};

/* About digits/100 · 10^exponent, 100 <= digits <= 999. */
typedef struct rounded {
    unsigned digits;
    int exponent;
} rounded;

/* The value must be finite and at least 1. */
static rounded round_to_three(double value)
{
    static const double powers[] = {1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256};
    rounded result = {.exponent = 0};
    for (int i = 8; i >= 0; i--)
        if (value >= powers[i]) {
            value /= powers[i];
            result.exponent += 1 << i;
        }
    result.digits = (unsigned)(value * 100 + 0.5);
    if (result.digits > 999)
        result = (rounded){.digits = 100, .exponent = result.exponent + 1};
    return result;
}

/* Writes the digits with a point after the first `whole` of them (1 to 3), without trailing zeros. The
 * buffer is larger than the four characters needed, since the compiler assumes two arbitrary integers. */
static void write_digits(unsigned digits, unsigned whole, char buffer[DIGITS_SIZE])
{
    static const unsigned scales[] = {0, 100, 10, 1};
    unsigned scale = scales[whole], fraction = digits % scale, places = 3 - whole;
    while (places > 0 && fraction % 10 == 0) {
        fraction /= 10;
        places--;
    }
    if (places == 0)
        snprintf(buffer, DIGITS_SIZE, "%u", digits / scale);
    else
        snprintf(buffer, DIGITS_SIZE, "%u.%0*u", digits / scale, (int)places, fraction);
}

/* The words for NaN and infinities; NULL for other values. */
static const char *word_for(double value)
{
    if (isnan(value))
        return "unknown";
    return isinf(value) ? (value > 0 ? "infinite" : "minus infinite") : NULL;
}

const char *opac_quantity_format(double count, char *buffer, size_t size)
{
    char digits[DIGITS_SIZE];
    const char *word = word_for(count), *sign = count < 0 ? "-" : "";
    double magnitude = fabs(count);
    if (word != NULL) {
        snprintf(buffer, size, "%s", word);
    } else if (magnitude < 999999.5) {
        unsigned whole = (unsigned)(magnitude + 0.5);
        snprintf(buffer, size, "%s%u", whole > 0 ? sign : "", whole);
    } else {
        rounded value = round_to_three(magnitude);
        write_digits(value.digits, 1, digits);
        snprintf(buffer, size, "%s%se%d", sign, digits, value.exponent);
    }
    return buffer;
}

const char *base_units_format(double count, char *buffer, size_t size)
{
    char digits[DIGITS_SIZE];
    if (!(count >= 0 && count < 9.995e20))
        return opac_quantity_format(count, buffer, size);
    if (count < 0.995) {
        unsigned hundredths = (unsigned)(count * 100 + 0.5);
        snprintf(buffer, size, hundredths > 0 ? "0.%02u" : "0", hundredths);
        return buffer;
    }
    rounded value = round_to_three(count < 1 ? 1 : count);
    write_digits(value.digits, (unsigned)(value.exponent % 3) + 1, digits);
    static const char letters[] = {'\0', 'k', 'M', 'G', 'T', 'P', 'E'};
    char letter[2] = {letters[value.exponent / 3], '\0'};
    snprintf(buffer, size, "%s%s", digits, letter);
    return buffer;
}

/* Durations. */

#define YEAR                (365.25 * 86400)
#define AGE_OF_THE_UNIVERSE (13.8e9 * YEAR) /* Planck Collaboration 2018 */

/* The unit is chosen by the rounded number, so that "1000 ms" is never written. */
static void write_seconds(double seconds, char *buffer, size_t size)
{
    unsigned thousandths = (unsigned)(seconds * 1e3 + 0.5), tenths = (unsigned)(seconds * 10 + 0.5);
    if (seconds <= 0)
        snprintf(buffer, size, "0 s");
    else if (thousandths == 0)
        snprintf(buffer, size, "under 1 ms");
    else if (thousandths < 1000)
        snprintf(buffer, size, "%u ms", thousandths);
    else if (tenths < 100)
        snprintf(buffer, size, "%u.%u s", tenths / 10, tenths % 10);
    else
        snprintf(buffer, size, "%u s", (unsigned)(seconds + 0.5));
}

const char *opac_duration_format(double seconds, char *buffer, size_t size)
{
    static const struct {
        double seconds;
        unsigned limit; /* from this number on, the next unit is used */
        const char *name;
    } units[] = {
        {60, 120, "minutes"},
        {3600, 48, "hours"},
        {86400, 60, "days"},
        {YEAR / 12, 24, "months"},
        {YEAR, 10000, "years"},
        {1e3 * YEAR, 2000, "thousand years"},
        {1e6 * YEAR, 2000, "million years"},
        {1e9 * YEAR, 15, "billion years"},
    };
    if (isnan(seconds) || seconds < 0)
        snprintf(buffer, size, "unknown");
    else if (isinf(seconds))
        snprintf(buffer, size, "forever");
    else if (seconds > AGE_OF_THE_UNIVERSE)
        snprintf(buffer, size, "longer than the age of the universe");
    else if (seconds < 119.5)
        write_seconds(seconds, buffer, size);
    else {
        size_t i = 0;
        while (seconds / units[i].seconds + 0.5 >= units[i].limit)
            i++;
        snprintf(buffer, size, "about %u %s", (unsigned)(seconds / units[i].seconds + 0.5),
                 units[i].name);
    }
    return buffer;
}
