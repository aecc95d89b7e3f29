/* SPDX-License-Identifier: MIT */
/*
 * Magnitudes are uint64_t, and products have 128 bits, so a result is unknown only if it does not fit in
 * lowest terms. Common divisors are removed before multiplication (Knuth, TAOCP 4.5.1).
 */
#include "base/ratio.h"

#include <math.h>
#include <stdio.h>

#include "base/bits.h"
#include "base/scan.h"

static const base_ratio unknown = {0, 0};

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? UINT64_C(0) - (uint64_t)value : (uint64_t)value;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A ratio of coprime numbers with a sign; unknown if one of them does not fit. */
static base_ratio make(bool negative, uint64_t numerator, uint64_t denominator)
{
    uint64_t most = (uint64_t)INT64_MAX + negative;
    if (denominator == 0 || denominator > INT64_MAX || numerator > most)
        return unknown;
    if (numerator > INT64_MAX)
        return (base_ratio){INT64_MIN, (int64_t)denominator};
    return (base_ratio){negative ? -(int64_t)numerator : (int64_t)numerator, (int64_t)denominator};
}

static bool multiply(uint64_t a, uint64_t b, uint64_t *product)
{
    return base_multiply_high(a, b, product) == 0;
}

/* (high · 2^64 + low) / divisor, bit by bit. Requires high < divisor, so that the quotient fits. */
static uint64_t divide_uint128(uint64_t high, uint64_t low, uint64_t divisor, uint64_t *rest)
{
    uint64_t quotient = 0;
    for (int bit = 63; bit >= 0; bit--) {
        bool carry = high >> 63;
        high = high << 1 | ((low >> bit) & 1);
        quotient <<= 1;
        if (carry || high >= divisor) {
            high -= divisor;
            quotient |= 1;
        }
    }
    *rest = high;
    return quotient;
}

base_ratio base_ratio_of(int64_t numerator, int64_t denominator)
{
    uint64_t top = magnitude(numerator), bottom = magnitude(denominator);
    if (bottom == 0)
        return unknown;
    uint64_t divisor = common_divisor(top, bottom);
    return make((numerator < 0) != (denominator < 0) && numerator != 0, top / divisor,
                bottom / divisor);
}

/* ---- sums ---- */

typedef struct uint128 {
    uint64_t high, low;
} uint128;

static uint128 product(uint64_t a, uint64_t b)
{
    uint128 result;
    result.high = base_multiply_high(a, b, &result.low);
    return result;
}

static bool is_less(uint128 a, uint128 b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

static uint128 add(uint128 a, uint128 b)
{
    uint64_t low = a.low + b.low;
    return (uint128){a.high + b.high + (low < a.low), low};
}

static uint128 subtract(uint128 a, uint128 b)
{
    return (uint128){a.high - b.high - (a.low < b.low), a.low - b.low};
}

/* The greatest common divisor of a sum and a number that is not 0. */
static uint64_t common_divisor_uint128(uint128 sum, uint64_t divisor)
{
    uint64_t rest;
    divide_uint128(sum.high % divisor, sum.low, divisor, &rest);
    return common_divisor(divisor, rest);
}

/*
 * a/b ± c/d = t / (b (d/g)) with g = gcd(b, d) and t = a (d/g) ± c (b/g), which is below 2^127. Only
 * divisors of gcd(t, g) can be cancelled from this fraction.
 */
static base_ratio combine(base_ratio a, base_ratio b, bool flip)
{
    if (!base_ratio_is_known(a) || !base_ratio_is_known(b))
        return unknown;
    uint64_t left_bottom = (uint64_t)a.denominator, right_bottom = (uint64_t)b.denominator;
    uint64_t divisor = common_divisor(left_bottom, right_bottom), rest, bottom;
    uint128 left = product(magnitude(a.numerator), right_bottom / divisor);
    uint128 right = product(magnitude(b.numerator), left_bottom / divisor);
    bool negative = a.numerator < 0, other = (b.numerator < 0) != flip;
    uint128 sum;
    if (negative == other) {
        sum = add(left, right);
    } else if (is_less(left, right)) {
        sum = subtract(right, left);
        negative = other;
    } else {
        sum = subtract(left, right);
    }
    uint64_t shared = divisor == 1 ? 1 : common_divisor_uint128(sum, divisor);
    if (sum.high >= shared || !multiply(left_bottom / divisor, right_bottom / shared, &bottom))
        return unknown;
    uint64_t top =
        sum.high == 0 ? sum.low / shared : divide_uint128(sum.high, sum.low, shared, &rest);
    return make(negative && top != 0, top, top != 0 ? bottom : 1);
}

base_ratio base_ratio_add(base_ratio a, base_ratio b)
{
    return combine(a, b, false);
}

base_ratio base_ratio_subtract(base_ratio a, base_ratio b)
{
    return combine(a, b, true);
}

/* ---- products ---- */

/* a · top / bottom; top and bottom must be coprime. */
static base_ratio scale(base_ratio a, bool negative, uint64_t top, uint64_t bottom)
{
    uint64_t own_top = magnitude(a.numerator), own_bottom = (uint64_t)a.denominator;
    uint64_t first = common_divisor(own_top, bottom), second = common_divisor(top, own_bottom);
    uint64_t new_top, new_bottom;
    if (bottom == 0 || !multiply(own_top / first, top / second, &new_top) ||
        !multiply(own_bottom / second, bottom / first, &new_bottom))
        return unknown;
    return make(negative != (a.numerator < 0) && new_top != 0, new_top, new_bottom);
}

base_ratio base_ratio_multiply(base_ratio a, base_ratio b)
{
    if (!base_ratio_is_known(a) || !base_ratio_is_known(b))
        return unknown;
    return scale(a, b.numerator < 0, magnitude(b.numerator), (uint64_t)b.denominator);
}

base_ratio base_ratio_divide(base_ratio a, base_ratio b)
{
    if (!base_ratio_is_known(a) || !base_ratio_is_known(b))
        return unknown;
    return scale(a, b.numerator < 0, (uint64_t)b.denominator, magnitude(b.numerator));
}

base_ratio base_ratio_power(base_ratio a, int64_t exponent)
{
    base_ratio result = {1, 1};
    base_ratio square = exponent < 0 ? base_ratio_divide(result, a) : a;
    if (!base_ratio_is_known(square))
        return unknown;
    for (uint64_t left = magnitude(exponent); left != 0; left >>= 1) {
        if (left & 1)
            result = base_ratio_multiply(result, square);
        if (left > 1)
            square = base_ratio_multiply(square, square);
    }
    return result;
}

/* By the 128-bit products a·d and c·b. */
int base_ratio_compare(base_ratio a, base_ratio b)
{
    bool negative = a.numerator < 0;
    if (negative != (b.numerator < 0))
        return negative ? -1 : 1;
    uint64_t left_low, right_low;
    uint64_t left = base_multiply_high(magnitude(a.numerator), (uint64_t)b.denominator, &left_low);
    uint64_t right =
        base_multiply_high(magnitude(b.numerator), (uint64_t)a.denominator, &right_low);
    int order = left != right ? (left > right) - (left < right)
                              : (left_low > right_low) - (left_low < right_low);
    return negative ? -order : order;
}

/* Shifts left until the highest bit is set; the value must not be 0. Returns the shift. */
static unsigned normalize(uint64_t *value)
{
    unsigned shift = 0;
    for (; *value >> 63 == 0; *value <<= 1)
        shift++;
    return shift;
}

/*
 * If both parts are doubles, their quotient is correctly rounded. Others are divided as integers: a
 * quotient of 62 or 63 bits, whose last bit is set if there is a remainder, rounds in the same way as the
 * exact quotient.
 */
double base_ratio_to_double(base_ratio ratio)
{
    const uint64_t exact = UINT64_C(1) << 53;
    uint64_t top = magnitude(ratio.numerator), bottom = (uint64_t)ratio.denominator, rest;
    if (top <= exact && bottom <= exact)
        return (double)ratio.numerator / (double)ratio.denominator;
    unsigned up = normalize(&top), down = normalize(&bottom);
    uint64_t quotient = divide_uint128(top >> 2, top << 62, bottom, &rest);
    double value = ldexp((double)(quotient | (rest != 0)), (int)down - (int)up - 62);
    return ratio.numerator < 0 ? -value : value;
}

/* ---- text ---- */

/* A decimal without its sign: value · 10^(zeros + power), where `zeros` counts trailing zero digits. */
typedef struct decimal {
    uint64_t value;
    int power, zeros;
    bool any;
} decimal;

/* Reads the digits before or after the point; false if they do not fit. */
static bool digits(base_scan *s, bool is_fraction, decimal *number)
{
    for (; base_scan_is_digit(s); s->at++) {
        uint64_t digit = (uint64_t)(*s->at - '0');
        number->any = true;
        number->power -= is_fraction;
        number->zeros++;
        if (digit == 0)
            continue;
        for (; number->zeros > 0 && number->value > 0; number->zeros--)
            if (!multiply(number->value, 10, &number->value))
                return false;
        number->zeros = 0;
        if (number->value > UINT64_MAX - digit)
            return false;
        number->value += digit;
    }
    return true;
}

/* value · 10^power; for a negative power, factors 2 and 5 are cancelled one by one. */
static base_ratio apply_power(bool negative, uint64_t value, int power)
{
    uint64_t bottom = 1;
    for (; power > 0; power--)
        if (!multiply(value, 10, &value))
            return unknown;
    for (; power < 0; power++) {
        for (uint64_t prime = 2; prime <= 5; prime += 3)
            if (value % prime == 0)
                value /= prime;
            else if (!multiply(bottom, prime, &bottom))
                return unknown;
    }
    return make(negative, value, bottom);
}

static base_ratio read_decimal(base_scan *s)
{
    bool negative = base_scan_take(s, '-');
    decimal number = {0};
    if (!digits(s, false, &number))
        return unknown;
    if (base_scan_take(s, '.') && !digits(s, true, &number))
        return unknown;
    if (!number.any || !base_scan_exponent(s, &number.power))
        return unknown;
    if (number.value == 0)
        return base_ratio_of_integer(0);
    return apply_power(negative, number.value, number.power + number.zeros);
}

base_ratio base_ratio_parse(const char *text, size_t length)
{
    base_scan s = {text, text + length};
    base_ratio result = read_decimal(&s);
    if (base_ratio_is_known(result) && base_scan_take(&s, '/'))
        result = base_ratio_divide(result, read_decimal(&s));
    return s.at == s.end ? result : unknown;
}

char *base_ratio_format(base_ratio ratio, char *buffer)
{
    if (ratio.denominator == 1)
        snprintf(buffer, BASE_RATIO_SIZE, "%lld", (long long)ratio.numerator);
    else
        snprintf(buffer, BASE_RATIO_SIZE, "%lld/%lld", (long long)ratio.numerator,
                 (long long)ratio.denominator);
    return buffer;
}
