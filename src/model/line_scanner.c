/* SPDX-License-Identifier: MIT */
/*
 * Numbers of explicit files, of which there are tens of millions. A decimal of
 * at most 19 digits is m · 10^e with a whole m: when m and 10^|e| are doubles,
 * one multiplication or division gives the nearest double (Clinger 1990). With
 * the 64 bits of an x86 long double m is always exact, and so is 10^27; the
 * result is rounded twice then, which is wrong only if the first rounding ends
 * exactly between two doubles. All else goes to opac_number_parse.
 */
#include "model/line_scanner.h"

#include <float.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/scan.h"
#include "base/utf8.h"

uint32_t model_scan_column(const model_scan *s, const char *at)
{
    return (uint32_t)base_utf8_count(s->begin, (size_t)(at - s->begin)) + 1;
}

uint64_t model_digits_value(const char *begin, const char *end)
{
    uint64_t result = 0;
    for (const char *at = begin; at < end; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (result > (UINT64_MAX - digit) / 10)
            return UINT64_MAX;
        result = result * 10 + digit;
    }
    return result;
}

bool model_take_integer(const char **at, const char *end, int64_t *value)
{
    bool negative = *at < end && **at == '-';
    model_scan s = {.at = *at + negative, .end = end};
    uint64_t digits;
    if (s.at == end || !base_is_digit(*s.at) || !model_scan_whole(&s, &digits) ||
        digits > (uint64_t)INT64_MAX + negative)
        return false;
    *value = digits > INT64_MAX ? INT64_MIN : negative ? -(int64_t)digits : (int64_t)digits;
    *at = s.at;
    return true;
}

opac_status model_scan_expected(model_scan *s, const char *what, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    size_t length;
    const char *word = model_scan_word(s, &length);
    if (length == 0)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, s->number, model_scan_column(s, word),
                            "expected %s, but the line ends here", what);
    return base_fail_at(error, OPAC_ERROR_SYNTAX, s->number, model_scan_column(s, word),
                        "expected %s, found '%s'", what,
                        opac_text_show(word, length, shown, sizeof shown));
}

/* ---- decimals ---- */

enum {
    MOST_DIGITS = 19 /* fit in 64 bits */
};

typedef struct decimal {
    uint64_t digits;
    int count; /* of the digits, without zeros in front */
    int power;
} decimal;

static bool add_digit(decimal *number, char digit)
{
    if (number->count == MOST_DIGITS)
        return false;
    number->digits = number->digits * 10 + (uint64_t)(digit - '0');
    number->count += number->digits != 0;
    return true;
}

/* All of the text, without a sign; false when it is no decimal, or a long one. */
static bool scan_decimal(base_scan s, decimal *number)
{
    bool any = false;
    *number = (decimal){0};
    for (; base_scan_is_digit(&s); s.at++, any = true)
        if (!add_digit(number, *s.at))
            return false;
    if (base_scan_take(&s, '.'))
        for (; base_scan_is_digit(&s); s.at++, any = true) {
            if (!add_digit(number, *s.at))
                return false;
            number->power--;
        }
    return any && base_scan_exponent(&s, &number->power) && s.at == s.end;
}

#if FLT_EVAL_METHOD == 0
static bool round_double(const decimal *number, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int power = number->power;
    if (number->digits > UINT64_C(1) << 53 || power < -22 || power > 22)
        return false;
    double digits = (double)number->digits;
    *value = power < 0 ? digits / powers[-power] : digits * powers[power];
    return true;
}
#else
static bool round_double(const decimal *number, double *value)
{
    (void)number;
    (void)value;
    return false;
}
#endif

#if LDBL_MANT_DIG == 64
static bool round_twice(const decimal *number, double *value)
{
    static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                         1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                         1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                         1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    int power = number->power;
    if (power < -27 || power > 27)
        return false;
    long double digits = (long double)number->digits;
    long double once = power < 0 ? digits / powers[-power] : digits * powers[power];
    double twice = (double)once;
    /* Halfway between doubles: then the neighbour on the other side is a double. */
    long double mirrored = (long double)twice + 2 * (once - (long double)twice);
    if (once != (long double)twice && (long double)(double)mirrored == mirrored)
        return false;
    *value = twice;
    return true;
}
#else
static bool round_twice(const decimal *number, double *value)
{
    (void)number;
    (void)value;
    return false;
}
#endif

/* ---- fractions ---- */

/* Digits, few enough to be a double. */
static bool scan_part(base_scan *s, int64_t *part)
{
    enum {
        MOST = 15
    };
    const char *begin = s->at;
    *part = 0;
    for (; base_scan_is_digit(s); s->at++)
        if (s->at - begin < MOST)
            *part = 10 * *part + (*s->at - '0');
    return s->at > begin && s->at - begin <= MOST;
}

/* "3/7", of which files of exact models are full: the quotient of two doubles is the nearest. */
static bool scan_fraction(base_scan s, double *value, base_ratio *ratio)
{
    int64_t top, bottom;
    if (!scan_part(&s, &top) || !base_scan_take(&s, '/') || !scan_part(&s, &bottom) ||
        s.at != s.end || bottom == 0)
        return false;
    *value = (double)top / (double)bottom;
    if (ratio != NULL)
        *ratio = base_ratio_of(top, bottom);
    return true;
}

/* ---- numbers ---- */

static opac_status parse_slowly(const char *text, size_t length, double *value, opac_error *error)
{
    enum {
        SHORT = 64
    };
    char buffer[SHORT];
    char *copy = length < SHORT ? buffer : base_alloc(length + 1, 1);
    if (copy == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < length; i++) /* a NUL would end the copy early: make it no number */
        copy[i] = text[i] != '\0' ? text[i] : '?';
    copy[length] = '\0';
    opac_status status = opac_number_parse(copy, value, error);
    if (copy != buffer)
        base_free(copy);
    return status;
}

opac_status model_scan_number(const char *text, size_t length, double *value, base_ratio *ratio,
                              opac_error *error)
{
    decimal number;
    base_ratio fraction = {0, 0};
    base_scan all = {text, text + length};
    if (scan_fraction(all, value, ratio))
        return OPAC_OK;
    if (!scan_decimal(all, &number) ||
        !(round_double(&number, value) || round_twice(&number, value))) {
        TRY(parse_slowly(text, length, value, error));
        if (memchr(text, '/', length) != NULL) {
            fraction = base_ratio_parse(text, length);
            if (base_ratio_is_known(fraction))
                *value = base_ratio_to_double(fraction);
        }
    }
    if (ratio != NULL)
        *ratio = base_ratio_is_known(fraction) ? fraction : base_ratio_parse(text, length);
    return OPAC_OK;
}
