/* SPDX-License-Identifier: MIT */
/*
 * Schoolbook arithmetic. Intermediate integers have twice the length, and are divided by their greatest
 * common divisor before they are stored. Powers of two are removed first, so the divisor is odd, and the
 * exact quotient can be computed from its lowest limb upwards.
 */
#include "base/big_ratio.h"

#include <string.h>

#include "base/scan.h"

enum {
    LIMB = 32,
    LONGEST = 2 * BASE_BIG_LIMBS + 2
};

typedef struct integer { /* an intermediate result */
    unsigned count;
    uint32_t limbs[LONGEST];
} integer;

static void trim(integer *a)
{
    while (a->count > 0 && a->limbs[a->count - 1] == 0)
        a->count--;
}

static void load(const base_big_integer *from, integer *to)
{
    to->count = from->count;
    memcpy(to->limbs, from->limbs, from->count * sizeof *to->limbs);
}

static bool store(const integer *from, base_big_integer *to)
{
    if (from->count > BASE_BIG_LIMBS)
        return false;
    to->count = from->count;
    memcpy(to->limbs, from->limbs, from->count * sizeof *to->limbs);
    return true;
}

/* ---- integers ---- */

static int compare(const integer *a, const integer *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (unsigned i = a->count; i-- > 0;)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

/* a += b; the sum must fit. */
static void add_to(integer *a, const integer *b)
{
    uint64_t carry = 0;
    unsigned count = a->count > b->count ? a->count : b->count;
    for (unsigned i = 0; i < count; i++) {
        carry += (uint64_t)(i < a->count ? a->limbs[i] : 0) + (i < b->count ? b->limbs[i] : 0);
        a->limbs[i] = (uint32_t)carry;
        carry >>= LIMB;
    }
    a->limbs[count] = (uint32_t)carry;
    a->count = count + 1;
    trim(a);
}

/* a -= (b · factor) << (32 · shift); the result must not be negative. */
static void subtract_from(integer *a, const integer *b, uint32_t factor, unsigned shift)
{
    uint64_t carry = 0; /* of the product and of the difference */
    for (unsigned i = shift; i < a->count && (i < b->count + shift || carry != 0); i++) {
        uint64_t term = carry + (i - shift < b->count ? (uint64_t)b->limbs[i - shift] * factor : 0);
        uint32_t low = (uint32_t)term;
        carry = (term >> LIMB) + (a->limbs[i] < low);
        a->limbs[i] -= low;
    }
    trim(a);
}

static void multiply(const base_big_integer *a, const base_big_integer *b, integer *result)
{
    result->count = a->count + b->count;
    memset(result->limbs, 0, result->count * sizeof *result->limbs);
    for (unsigned i = 0; i < a->count; i++) {
        uint64_t carry = 0;
        for (unsigned k = 0; k < b->count; k++) {
            carry += (uint64_t)a->limbs[i] * b->limbs[k] + result->limbs[i + k];
            result->limbs[i + k] = (uint32_t)carry;
            carry >>= LIMB;
        }
        result->limbs[i + b->count] = (uint32_t)carry;
    }
    trim(result);
}

/* a = a · factor + term; false if it does not fit. */
static bool multiply_small(integer *a, uint32_t factor, uint32_t term)
{
    uint64_t carry = term;
    for (unsigned i = 0; i < a->count; i++) {
        carry += (uint64_t)a->limbs[i] * factor;
        a->limbs[i] = (uint32_t)carry;
        carry >>= LIMB;
    }
    if (carry != 0) {
        if (a->count > BASE_BIG_LIMBS)
            return false;
        a->limbs[a->count++] = (uint32_t)carry;
    }
    return true;
}

static unsigned bit_length(const integer *a)
{
    unsigned bits = a->count * LIMB;
    for (uint32_t top = a->count > 0 ? a->limbs[a->count - 1] : UINT32_MAX; top >> (LIMB - 1) == 0;
         top <<= 1)
        bits--;
    return bits;
}

/* a must not be 0. */
static unsigned trailing_zeros(const integer *a)
{
    unsigned bits = 0;
    while (a->limbs[bits / LIMB] == 0)
        bits += LIMB;
    while ((a->limbs[bits / LIMB] >> bits % LIMB & 1) == 0)
        bits++;
    return bits;
}

static void shift_right(integer *a, unsigned bits)
{
    unsigned whole = bits / LIMB, part = bits % LIMB;
    for (unsigned i = whole; i < a->count; i++) {
        uint64_t pair = a->limbs[i] | (uint64_t)(i + 1 < a->count ? a->limbs[i + 1] : 0) << LIMB;
        a->limbs[i - whole] = (uint32_t)(pair >> part);
    }
    a->count -= whole;
    trim(a);
}

/* The result must fit. */
static void shift_left(integer *a, unsigned bits)
{
    unsigned whole = bits / LIMB, part = bits % LIMB, count = a->count;
    a->limbs[count] = 0;
    for (unsigned i = count + 1; i-- > 0;) {
        uint64_t pair = (uint64_t)a->limbs[i] << LIMB | (i > 0 ? a->limbs[i - 1] : 0);
        a->limbs[i + whole] = (uint32_t)(pair << part >> LIMB);
    }
    memset(a->limbs, 0, whole * sizeof *a->limbs);
    a->count = count + 1 + whole;
    trim(a);
}

/* Sets a to the odd part of the greatest common divisor (Stein's algorithm); neither may be 0. */
static void odd_divisor(integer *a, integer *b)
{
    shift_right(a, trailing_zeros(a));
    shift_right(b, trailing_zeros(b));
    for (int order = compare(a, b); order != 0; order = compare(a, b)) {
        integer *larger = order > 0 ? a : b;
        subtract_from(larger, order > 0 ? b : a, 1, 0);
        shift_right(larger, trailing_zeros(larger));
    }
}

/* The inverse modulo 2^32 of an odd number, by Newton's iteration. */
static uint32_t inverse(uint32_t odd)
{
    uint32_t result = odd; /* correct in 3 bits */
    for (int bits = 3; bits < LIMB; bits *= 2)
        result *= 2 - odd * result;
    return result;
}

/* a /= divisor, which is odd and divides it. */
static void divide_exactly(integer *a, const integer *divisor)
{
    integer rest = *a;
    uint32_t factor = inverse(divisor->limbs[0]);
    unsigned count = a->count;
    for (unsigned i = 0; i < count; i++) {
        a->limbs[i] = i < rest.count ? rest.limbs[i] * factor : 0;
        subtract_from(&rest, divisor, a->limbs[i], i);
    }
    trim(a);
}

/* ---- fractions ---- */

/* Stores top / bottom in lowest terms; bottom must not be 0. */
static bool reduce(bool negative, integer *top, integer *bottom, base_big *result)
{
    result->negative = negative && top->count > 0;
    if (top->count == 0) {
        bottom->count = 1;
        bottom->limbs[0] = 1;
    } else {
        unsigned twos = trailing_zeros(top), other = trailing_zeros(bottom);
        integer divisor = *top, rest = *bottom;
        odd_divisor(&divisor, &rest);
        divide_exactly(top, &divisor);
        divide_exactly(bottom, &divisor);
        shift_right(top, twos < other ? twos : other);
        shift_right(bottom, twos < other ? twos : other);
    }
    return store(top, &result->top) && store(bottom, &result->bottom);
}

static void set_integer(uint64_t value, base_big_integer *result)
{
    result->limbs[0] = (uint32_t)value;
    result->limbs[1] = (uint32_t)(value >> LIMB);
    result->count = value >> LIMB != 0 ? 2 : value != 0;
}

void base_big_of_ratio(base_ratio ratio, base_big *result)
{
    uint64_t top = (uint64_t)ratio.numerator;
    result->negative = ratio.numerator < 0;
    set_integer(result->negative ? UINT64_C(0) - top : top, &result->top);
    set_integer((uint64_t)ratio.denominator, &result->bottom);
}

static bool to_int64(const base_big_integer *a, bool negative, int64_t *result)
{
    uint64_t value = a->count > 0 ? a->limbs[0] : 0;
    if (a->count > 1)
        value |= (uint64_t)a->limbs[1] << LIMB;
    *result = negative ? -(int64_t)(value & INT64_MAX) : (int64_t)(value & INT64_MAX);
    return a->count <= 2 && value <= INT64_MAX;
}

base_ratio base_big_to_ratio(const base_big *a)
{
    base_ratio result;
    if (!to_int64(&a->top, a->negative, &result.numerator) ||
        !to_int64(&a->bottom, false, &result.denominator))
        return (base_ratio){0};
    return result;
}

static bool combine(const base_big *a, const base_big *b, bool flip, base_big *result)
{
    integer left, right, bottom;
    bool negative = a->negative, other = b->negative != flip;
    multiply(&a->top, &b->bottom, &left);
    multiply(&b->top, &a->bottom, &right);
    multiply(&a->bottom, &b->bottom, &bottom);
    if (negative == other) {
        add_to(&left, &right);
    } else if (compare(&left, &right) < 0) {
        subtract_from(&right, &left, 1, 0);
        left = right;
        negative = other;
    } else {
        subtract_from(&left, &right, 1, 0);
    }
    return reduce(negative, &left, &bottom, result);
}

bool base_big_add(const base_big *a, const base_big *b, base_big *result)
{
    return combine(a, b, false, result);
}

bool base_big_subtract(const base_big *a, const base_big *b, base_big *result)
{
    return combine(a, b, true, result);
}

bool base_big_multiply(const base_big *a, const base_big *b, base_big *result)
{
    integer top, bottom;
    multiply(&a->top, &b->top, &top);
    multiply(&a->bottom, &b->bottom, &bottom);
    return reduce(a->negative != b->negative, &top, &bottom, result);
}

bool base_big_divide(const base_big *a, const base_big *b, base_big *result)
{
    integer top, bottom;
    multiply(&a->top, &b->bottom, &top);
    multiply(&a->bottom, &b->top, &bottom);
    return reduce(a->negative != b->negative, &top, &bottom, result);
}

int base_big_sign(const base_big *a)
{
    return a->negative ? -1 : a->top.count > 0;
}

int base_big_compare(const base_big *a, const base_big *b)
{
    integer left, right;
    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    multiply(&a->top, &b->bottom, &left);
    multiply(&b->top, &a->bottom, &right);
    return a->negative ? compare(&right, &left) : compare(&left, &right);
}

/* ---- quotients ---- */

/*
 * The first `steps` bits of top / bottom, beginning with the bit of weight 2^(difference of the bit lengths).
 * Sets *top to twice the remainder; shifts *top or *bottom so that both have the same length.
 */
static uint64_t divide(integer *top, integer *bottom, unsigned steps)
{
    unsigned above = bit_length(top), below = bit_length(bottom);
    uint64_t quotient = 0;
    if (above < below)
        shift_left(top, below - above);
    else
        shift_left(bottom, above - below);
    for (unsigned i = 0; i < steps; i++) {
        bool fits = compare(top, bottom) >= 0;
        quotient = quotient << 1 | fits;
        if (fits)
            subtract_from(top, bottom, 1, 0);
        shift_left(top, 1);
    }
    return quotient;
}

static int length_difference(const integer *a, const integer *b)
{
    return (int)bit_length(a) - (int)bit_length(b);
}

bool base_big_floor(const base_big *a, int64_t *whole, bool *is_whole, bool *is_half)
{
    integer top, bottom;
    load(&a->top, &top);
    load(&a->bottom, &bottom);
    int difference = length_difference(&top, &bottom);
    uint64_t quotient = 0;
    if (difference > 62)
        return false;
    if (difference >= 0)
        quotient = divide(&top, &bottom, (unsigned)difference + 1);
    else
        shift_left(&top, 1); /* the rest, times 2 */
    int half = compare(&top, &bottom);
    *is_whole = top.count == 0;
    *is_half = a->negative ? half <= 0 && !*is_whole : half >= 0;
    *whole = a->negative ? -(int64_t)quotient - !*is_whole : (int64_t)quotient;
    return true;
}

uint64_t base_big_quotient(const base_big *a, int *exponent)
{
    integer top, bottom;
    load(&a->top, &top);
    load(&a->bottom, &bottom);
    *exponent = length_difference(&top, &bottom) - 63;
    uint64_t quotient = divide(&top, &bottom, 64);
    return quotient | (top.count > 0);
}

/* ---- text ---- */

enum {
    MOST_TENS = 690 /* 10^690 has 2293 bits */
};

/* Appends digits and counts them; false if there are too many. */
static bool take_digits(base_scan *s, integer *value, int *count)
{
    for (*count = 0; base_scan_is_digit(s); s->at++, ++*count)
        if (!multiply_small(value, 10, (uint32_t)(*s->at - '0')))
            return false;
    return true;
}

static bool read_decimal(base_scan *s, base_big *result)
{
    integer value = {0}, bottom = {.count = 1, .limbs = {1}};
    bool negative = base_scan_take(s, '-');
    int power, digits, decimals = 0;
    if (!take_digits(s, &value, &digits))
        return false;
    if (base_scan_take(s, '.') && !take_digits(s, &value, &decimals))
        return false;
    power = -decimals;
    if (digits + decimals == 0 || !base_scan_exponent(s, &power))
        return false;
    if (value.count == 0)
        power = 0;
    if (power > MOST_TENS || power < -MOST_TENS)
        return false;
    for (; power > 0; power--)
        if (!multiply_small(&value, 10, 0))
            return false;
    for (; power < 0; power++)
        if (!multiply_small(&bottom, 10, 0))
            return false;
    return reduce(negative, &value, &bottom, result);
}

bool base_big_parse(const char *text, size_t length, base_big *result)
{
    base_scan s = {text, text + length};
    base_big divisor;
    if (!read_decimal(&s, result))
        return false;
    if (base_scan_take(&s, '/') && (!read_decimal(&s, &divisor) || divisor.top.count == 0 ||
                                    !base_big_divide(result, &divisor, result)))
        return false;
    return s.at == s.end;
}
