/* SPDX-License-Identifier: MIT */
/*
 * Fast parsing of numbers: explicit files have tens of millions of them. A decimal of at most 19 digits is
 * m · 10^e with an integer m. If m and 10^|e| are exact doubles, one multiplication or division gives the
 * nearest double (Clinger 1990). With the 64-bit mantissa of an x86 long double, m and 10^27 are always
 * exact; the result is then rounded twice, which is wrong only if the first rounding ends exactly halfway
 * between two doubles. All other numbers are parsed by opac_number_parse.
 */
#include "model/line_scanner.h"

#include <float.h>
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/scan.h"
#include "base/utf8.h"

uint32_t model_scanner_column(const model_scanner *s, const char *at)
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

bool model_parse_integer(const char **at, const char *end, int64_t *value)
{
    bool negative = *at < end && **at == '-';
    model_scanner s = {.at = *at + negative, .end = end};
    uint64_t digits;
    if (s.at == end || !base_is_digit(*s.at) || !model_scanner_uint(&s, &digits) ||
        digits > (uint64_t)INT64_MAX + negative)
        return false;
    *value = digits > INT64_MAX ? INT64_MIN : negative ? -(int64_t)digits : (int64_t)digits;
    *at = s.at;
    return true;
}

opac_status model_scanner_expected(model_scanner *s, const char *what, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    size_t length;
    const char *word = model_scanner_word(s, &length);
    if (length == 0)
        return base_fail_at(error, OPAC_ERROR_SYNTAX, s->number, model_scanner_column(s, word),
                            "expected %s, but the line ends here", what);
    return base_fail_at(error, OPAC_ERROR_SYNTAX, s->number, model_scanner_column(s, word),
                        "expected %s, found '%s'", what,
                        opac_text_show(word, length, shown, sizeof shown));
}

/* ---- decimals ---- */

enum {
    MOST_DIGITS = 19 /* fit in 64 bits */
};

typedef struct decimal {
    uint64_t digits;
    int count; /* number of digits, without leading zeros */
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

/* Parses the whole text, an unsigned decimal; false if it is not one or has too many digits. */
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
    /* If `once` is halfway between two doubles, they are `twice` and its reflection about `once`. */
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

/* Digits, few enough that their value is an exact double. */
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

/* A fraction such as "3/7". The quotient of two exact doubles is rounded to the nearest double. */
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

static opac_status parse_any(const char *text, size_t length, double *value, opac_error *error)
{
    enum {
        SHORT = 64
    };
    char buffer[SHORT];
    char *copy = length < SHORT ? buffer : base_alloc(length + 1, 1);
    if (copy == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < length;
         i++) /* a NUL would end the copy early, so make the text invalid */
        copy[i] = text[i] != '\0' ? text[i] : '?';
    copy[length] = '\0';
    opac_status status = opac_number_parse(copy, value, error);
    if (copy != buffer)
        base_free(copy);
    return status;
}

opac_status model_parse_number(const char *text, size_t length, double *value, base_ratio *ratio,
                               opac_error *error)
{
    decimal number;
    base_ratio fraction = {0, 0};
    base_scan all = {text, text + length};
    if (scan_fraction(all, value, ratio))
        return OPAC_OK;
    if (!scan_decimal(all, &number) ||
        !(round_double(&number, value) || round_twice(&number, value))) {
        TRY(parse_any(text, length, value, error));
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
