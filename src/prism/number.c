/* SPDX-License-Identifier: MIT */
/*
 * Exact operations try 64 bits first. Approximations are long doubles with
 * a bound on the absolute error, which is computed with rounding errors itself
 * and therefore enlarged each time.
 */
#include "prism/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define PRECISE_ENOUGH 0x1p-57L /* relative error of an approximation that is used */

enum {
    MOST_ROOT = 12 /* denominators of logarithms and exponents that are tried for being exact */
};

typedef struct prism_kept_number { /* what a node points to */
    prism_number_kind kind;
    bool negative;
    unsigned top, bottom; /* limbs */
    long double value, error;
    uint32_t limbs[]; /* of the numerator, then of the denominator */
} kept_number;

/* ---- making one ---- */

void prism_number_of_ratio(base_ratio ratio, prism_number *result)
{
    result->kind = base_ratio_is_known(ratio) ? PRISM_NUMBER_RATIO : PRISM_NUMBER_UNDEFINED;
    result->ratio = ratio;
    result->value = result->error = 0;
}

static void set_integer(int64_t value, prism_number *result)
{
    prism_number_of_ratio(base_ratio_of_integer(value), result);
}

static void set_undefined(prism_number *result)
{
    prism_number_of_ratio((base_ratio){0}, result);
}

static void set_near(long double value, long double error, prism_number *result)
{
    set_undefined(result);
    if (isnan(value) || !isfinite(error))
        return;
    result->kind = PRISM_NUMBER_NEAR;
    result->value = value;
    result->error = isinf(value) ? 0 : error * 1.001L;
}

/* From result->wide. */
static void set_wide(prism_number *result)
{
    result->ratio = base_big_to_ratio(&result->wide);
    result->kind = base_ratio_is_known(result->ratio) ? PRISM_NUMBER_RATIO : PRISM_NUMBER_WIDE;
    result->value = result->error = 0;
}

void prism_number_of_text(const char *text, size_t length, double value, prism_number *result)
{
    prism_number_of_ratio(base_ratio_parse(text, length), result);
    if (result->kind == PRISM_NUMBER_RATIO)
        return;
    if (base_big_parse(text, length, &result->wide))
        set_wide(result);
    else
        set_near((long double)value, fabsl((long double)value) * 0x1p-52L, result);
}

void prism_number_copy(const prism_number *from, prism_number *to)
{
    if (from->kind == PRISM_NUMBER_WIDE)
        to->wide = from->wide;
    to->kind = from->kind;
    to->ratio = from->ratio;
    to->value = from->value;
    to->error = from->error;
}

static bool is_exact(const prism_number *a)
{
    return a->kind == PRISM_NUMBER_RATIO || a->kind == PRISM_NUMBER_WIDE;
}

/* The fraction, in *room if it is not there yet; exact. */
static const base_big *widen(const prism_number *a, base_big *room)
{
    if (a->kind == PRISM_NUMBER_WIDE)
        return &a->wide;
    base_big_of_ratio(a->ratio, room);
    return room;
}

/* ---- approximations ---- */

typedef struct near_number {
    long double value, error;
} near_number;

static near_number approximate(const prism_number *a)
{
    base_big room;
    int exponent;
    if (a->kind == PRISM_NUMBER_NEAR)
        return (near_number){a->value, a->error};
    if (!is_exact(a))
        return (near_number){(long double)NAN, 0};
    const base_big *wide = widen(a, &room);
    int sign = base_big_sign(wide);
    if (sign == 0)
        return (near_number){0, 0};
    uint64_t quotient = base_big_quotient(wide, &exponent);
    long double value = ldexpl((long double)quotient, exponent);
    bool is_all = (quotient & 1) == 0 && LDBL_MANT_DIG >= 64; /* else there may be a rest */
    return (near_number){(long double)sign * value,
                         is_all ? 0 : value * (LDBL_EPSILON + 0x1p-62L) + LDBL_MIN};
}

/* One rounding. */
static long double rounding(long double value)
{
    return fabsl(value) * LDBL_EPSILON + LDBL_MIN;
}

static void divide_near(near_number a, near_number b, prism_number *result)
{
    long double value = a.value / b.value, least = fabsl(b.value) - b.error;
    if (least > 0)
        set_near(value, (a.error + fabsl(value) * b.error) / least + rounding(value), result);
    else
        set_undefined(result);
}

/* |ln a' - ln a|, where |a' - a| <= error. */
static long double log_error(near_number a)
{
    long double least = fabsl(a.value) - a.error;
    return a.error == 0 ? 0 : least > 0 ? a.error / least : (long double)INFINITY;
}

static void power_near(near_number a, near_number b, prism_number *result)
{
    long double value = powl(a.value, b.value), size = fabsl(a.value);
    long double shift = (fabsl(b.value) + b.error) * log_error(a);
    if (b.error > 0)
        shift += b.error * (fabsl(logl(size)) * (1 + 4 * LDBL_EPSILON) + log_error(a));
    if (shift < 1)
        set_near(value, fabsl(value) * 2 * shift + 4 * rounding(value), result);
    else
        set_undefined(result);
}

static near_number log_near(near_number a)
{
    long double value = logl(a.value);
    return (near_number){value, log_error(a) + 4 * rounding(value)};
}

static void join_near(prism_op op, near_number a, near_number b, prism_number *result)
{
    long double value;
    switch (op) {
    case PRISM_OP_SUBTRACT:
        b.value = -b.value;
        /* fall through */
    case PRISM_OP_ADD:
        value = a.value + b.value;
        set_near(value, a.error + b.error + rounding(value), result);
        break;
    case PRISM_OP_MULTIPLY:
        value = a.value * b.value;
        set_near(value,
                 fabsl(a.value) * b.error + (fabsl(b.value) + b.error) * a.error + rounding(value),
                 result);
        break;
    case PRISM_OP_DIVIDE:
        divide_near(a, b, result);
        break;
    case PRISM_OP_POWER:
        power_near(a, b, result);
        break;
    default: /* log */
        divide_near(log_near(a), log_near(b), result);
        break;
    }
}

/* ---- exact results ---- */

static base_ratio join_ratios(prism_op op, base_ratio a, base_ratio b)
{
    switch (op) {
    case PRISM_OP_ADD:
        return base_ratio_add(a, b);
    case PRISM_OP_SUBTRACT:
        return base_ratio_subtract(a, b);
    case PRISM_OP_MULTIPLY:
        return base_ratio_multiply(a, b);
    case PRISM_OP_DIVIDE:
        return base_ratio_divide(a, b);
    case PRISM_OP_POWER:
        return b.denominator == 1 ? base_ratio_power(a, b.numerator) : (base_ratio){0};
    default:
        return (base_ratio){0};
    }
}

static bool wide_power(const base_big *base, int64_t exponent, base_big *result)
{
    base_big square = *base;
    uint64_t left = (uint64_t)(exponent < 0 ? -(exponent + 1) : exponent) + (exponent < 0);
    base_big_of_ratio(base_ratio_of_integer(1), result);
    if (exponent < 0 && !base_big_divide(result, base, &square))
        return false;
    for (; left != 0; left >>= 1) {
        if ((left & 1) != 0 && !base_big_multiply(result, &square, result))
            return false;
        if (left > 1 && !base_big_multiply(&square, &square, &square))
            return false;
    }
    return true;
}

static bool is_whole(const prism_number *a)
{
    return a->kind == PRISM_NUMBER_RATIO && a->ratio.denominator == 1;
}

/* Both are exact, and neither a divisor nor the base of a negative power is 0. */
static bool join_exactly(prism_op op, const prism_number *a, const prism_number *b,
                         prism_number *result)
{
    if (a->kind == PRISM_NUMBER_RATIO && b->kind == PRISM_NUMBER_RATIO) {
        base_ratio ratio = join_ratios(op, a->ratio, b->ratio);
        if (base_ratio_is_known(ratio)) {
            prism_number_of_ratio(ratio, result);
            return true;
        }
    }
    base_big left_room, right_room, value;
    const base_big *left = widen(a, &left_room), *right = widen(b, &right_room);
    bool fits = op == PRISM_OP_ADD                    ? base_big_add(left, right, &value)
                : op == PRISM_OP_SUBTRACT             ? base_big_subtract(left, right, &value)
                : op == PRISM_OP_MULTIPLY             ? base_big_multiply(left, right, &value)
                : op == PRISM_OP_DIVIDE               ? base_big_divide(left, right, &value)
                : op == PRISM_OP_POWER && is_whole(b) ? wide_power(left, b->ratio.numerator, &value)
                                                      : false;
    if (fits) {
        result->wide = value;
        set_wide(result);
    }
    return fits;
}

/* Whether a^p = b^q. */
static bool is_same_power(const prism_number *a, int64_t p, const prism_number *b, int64_t q)
{
    prism_number exponent, left, right;
    set_integer(p, &exponent);
    if (!join_exactly(PRISM_OP_POWER, a, &exponent, &left))
        return false;
    set_integer(q, &exponent);
    return join_exactly(PRISM_OP_POWER, b, &exponent, &right) &&
           prism_number_compare(&left, &right) == 0;
}

/* A logarithm that seems to be a fraction is one if the powers say so: log(8, 4) is 3/2. */
static void snap_log(const prism_number *a, const prism_number *b, prism_number *result)
{
    if (result->kind != PRISM_NUMBER_NEAR || !is_exact(a) || !is_exact(b) ||
        fabsl(result->value) > 4096)
        return;
    for (int64_t q = 1; q <= MOST_ROOT; q++) {
        long double p = roundl(result->value * (long double)q);
        if (fabsl(p / (long double)q - result->value) <= 2 * result->error &&
            is_same_power(b, (int64_t)p, a, q)) {
            prism_number_of_ratio(base_ratio_of((int64_t)p, q), result);
            return;
        }
    }
}

/* The q-th root of a whole number below 2^53, if it is whole; else 0. */
static int64_t root_of(int64_t a, int64_t q)
{
    return (int64_t)roundl(powl((long double)a, 1 / (long double)q));
}

/* A root that seems to be a fraction is one if the power says so: pow(4/9, 0.5) is 2/3. */
static bool snap_root(const prism_number *a, const prism_number *b, prism_number *result)
{
    const int64_t most = INT64_C(1) << 53;
    prism_number root;
    if (a->kind != PRISM_NUMBER_RATIO || b->kind != PRISM_NUMBER_RATIO ||
        b->ratio.denominator > MOST_ROOT || a->ratio.numerator <= 0 || a->ratio.numerator > most ||
        a->ratio.denominator > most)
        return false;
    int64_t q = b->ratio.denominator;
    prism_number_of_ratio(
        base_ratio_of(root_of(a->ratio.numerator, q), root_of(a->ratio.denominator, q)), &root);
    if (root.kind != PRISM_NUMBER_RATIO || !is_same_power(&root, q, a, 1))
        return false;
    prism_number whole;
    set_integer(b->ratio.numerator, &whole);
    return join_exactly(PRISM_OP_POWER, &root, &whole, result);
}

static void logarithm(const prism_number *a, const prism_number *b, prism_number *result)
{
    prism_number one, value = {0};
    set_integer(1, &one);
    int base_order = prism_number_compare(b, &one);
    if (prism_number_sign(a) != 1 || prism_number_sign(b) != 1 || base_order == 0 ||
        base_order == PRISM_UNDECIDED) {
        set_undefined(result);
        return;
    }
    join_near(PRISM_OP_LOG, approximate(a), approximate(b), &value);
    snap_log(a, b, &value);
    prism_number_copy(&value, result);
}

/* The smaller (order -1) or the larger (1) of two. */
static void extremum(int wanted, const prism_number *a, const prism_number *b, prism_number *result)
{
    int order = prism_number_compare(a, b);
    if (order != PRISM_UNDECIDED) {
        const prism_number *best = order == wanted || order == 0 ? a : b;
        if (best != result)
            prism_number_copy(best, result);
        return;
    }
    near_number left = approximate(a), right = approximate(b);
    long double value = (wanted < 0) == (left.value < right.value) ? left.value : right.value;
    set_near(isnan(left.value) ? left.value : value,
             left.error > right.error ? left.error : right.error, result);
}

/* By 0: ±infinity, or undefined, as with doubles. */
static void divide_by_zero(int sign, prism_number *result)
{
    if (sign == 0 || sign == PRISM_UNDECIDED)
        set_undefined(result);
    else
        set_near((long double)sign * (long double)INFINITY, 0, result);
}

static bool is_finite(const prism_number *a)
{
    return is_exact(a) || (a->kind == PRISM_NUMBER_NEAR && isfinite(a->value));
}

/* Whether one is 0, and the other a number. */
static bool is_zero_of_finite(const prism_number *a, const prism_number *b)
{
    return (prism_number_sign(a) == 0 && is_finite(b)) ||
           (prism_number_sign(b) == 0 && is_finite(a));
}

void prism_number_join(prism_op op, const prism_number *a, const prism_number *b,
                       prism_number *result)
{
    if (op == PRISM_OP_LOG) {
        logarithm(a, b, result);
    } else if (op == PRISM_OP_MIN || op == PRISM_OP_MAX) {
        extremum(op == PRISM_OP_MIN ? -1 : 1, a, b, result);
    } else if (op == PRISM_OP_DIVIDE && prism_number_sign(b) == 0) {
        divide_by_zero(prism_number_sign(a), result);
    } else if (op == PRISM_OP_POWER && prism_number_sign(a) == 0 && is_exact(b)) {
        int sign = prism_number_sign(b);
        if (sign < 0)
            divide_by_zero(1, result);
        else
            set_integer(sign == 0, result);
    } else if (op == PRISM_OP_MULTIPLY && is_zero_of_finite(a, b)) {
        set_integer(0, result);
    } else if (op == PRISM_OP_POWER && !is_whole(b) && snap_root(a, b, result)) {
        return;
    } else if (!is_exact(a) || !is_exact(b) || !join_exactly(op, a, b, result)) {
        join_near(op, approximate(a), approximate(b), result);
    }
}

/* ---- decisions ---- */

static int sign_of(near_number a)
{
    return isnan(a.value) || fabsl(a.value) <= a.error ? PRISM_UNDECIDED : a.value > 0 ? 1 : -1;
}

int prism_number_sign(const prism_number *a)
{
    if (a->kind == PRISM_NUMBER_RATIO)
        return (a->ratio.numerator > 0) - (a->ratio.numerator < 0);
    return a->kind == PRISM_NUMBER_WIDE ? base_big_sign(&a->wide) : sign_of(approximate(a));
}

int prism_number_compare(const prism_number *a, const prism_number *b)
{
    base_big left_room, right_room;
    if (a->kind == PRISM_NUMBER_RATIO && b->kind == PRISM_NUMBER_RATIO)
        return base_ratio_compare(a->ratio, b->ratio);
    if (is_exact(a) && is_exact(b))
        return base_big_compare(widen(a, &left_room), widen(b, &right_room));
    near_number left = approximate(a), right = approximate(b);
    long double difference = left.value - right.value;
    return sign_of((near_number){difference, (left.error + right.error) * 1.001L +
                                                 (isinf(difference) ? 0 : rounding(difference))});
}

const char *prism_number_round(prism_op op, const prism_number *a, int64_t *result)
{
    static const char *const too_large =
        "floor, ceil or round of what is no number, or too large for an integer";
    base_big room;
    bool whole = false, half = false;
    if (is_exact(a)) {
        if (!base_big_floor(widen(a, &room), result, &whole, &half))
            return too_large;
    } else {
        near_number near = approximate(a);
        if (!(fabsl(near.value) < 0x1p62L))
            return too_large;
        long double shift = op == PRISM_OP_ROUND ? 0.5L : 0;
        long double below = floorl(near.value - near.error + shift);
        if (below != floorl(near.value + near.error + shift))
            return "floor, ceil or round of a number that is too close to where it jumps";
        *result = (int64_t)below; /* the number itself is not whole, or it would be too close */
        half = false;
    }
    bool up = op == PRISM_OP_CEIL ? !whole : op == PRISM_OP_ROUND && half;
    *result += up;
    return NULL;
}

bool prism_number_to_double(const prism_number *a, double *value)
{
    double low;
    if (a->kind != PRISM_NUMBER_RATIO)
        return prism_number_split(a, value, &low);
    *value = base_ratio_to_double(a->ratio);
    return true;
}

bool prism_number_split(const prism_number *a, double *high, double *low)
{
    base_big room;
    int exponent;
    *high = *low = 0;
    if (prism_number_sign(a) == 0)
        return true;
    if (!is_exact(a)) {
        near_number near = approximate(a);
        *high = (double)near.value;
        *low = (double)(near.value - (long double)*high);
        return isfinite(*high) && near.error <= fabsl(near.value) * PRECISE_ENOUGH;
    }
    const base_big *wide = widen(a, &room);
    double sign = base_big_sign(wide);
    uint64_t quotient = base_big_quotient(wide, &exponent);
    double nearest = (double)quotient; /* up to 2^64, which is 0 modulo 2^64 */
    uint64_t back = nearest < 0x1p64 ? (uint64_t)nearest : 0;
    *high = sign * ldexp(nearest, exponent);
    *low = sign * ldexp((double)(int64_t)(quotient - back), exponent);
    return isfinite(*high);
}

/* ---- literals ---- */

/* A copy without the ratio; NULL when out of memory. */
static const kept_number *keep(const prism_number *a, base_arena *arena)
{
    bool is_wide = a->kind == PRISM_NUMBER_WIDE;
    unsigned top = is_wide ? a->wide.top.count : 0, bottom = is_wide ? a->wide.bottom.count : 0;
    kept_number *kept =
        base_arena_alloc(arena, 1, sizeof *kept + ((size_t)top + bottom) * sizeof *kept->limbs);
    if (kept == NULL)
        return NULL;
    *kept = (kept_number){.kind = a->kind, .top = top, .bottom = bottom};
    if (is_wide) {
        kept->negative = a->wide.negative;
        memcpy(kept->limbs, a->wide.top.limbs, top * sizeof *kept->limbs);
        memcpy(kept->limbs + top, a->wide.bottom.limbs, bottom * sizeof *kept->limbs);
    } else if (a->kind == PRISM_NUMBER_NEAR) {
        kept->value = a->value;
        kept->error = a->error;
    }
    return kept;
}

static void unpack(const kept_number *kept, prism_number *result)
{
    set_undefined(result);
    result->kind = kept->kind;
    result->value = kept->value;
    result->error = kept->error;
    result->wide.negative = kept->negative;
    result->wide.top.count = kept->top;
    result->wide.bottom.count = kept->bottom;
    memcpy(result->wide.top.limbs, kept->limbs, kept->top * sizeof *kept->limbs);
    memcpy(result->wide.bottom.limbs, kept->limbs + kept->top, kept->bottom * sizeof *kept->limbs);
}

void prism_number_of_literal(const prism_node *literal, prism_number *result)
{
    if (literal->op != PRISM_OP_REAL)
        set_integer(literal->value.integer, result);
    else if (base_ratio_is_known(literal->exact) || literal->kept == NULL)
        prism_number_of_ratio(literal->exact, result);
    else
        unpack(literal->kept, result);
}

bool prism_literal_set(prism_node *literal, const prism_number *number, base_arena *arena)
{
    literal->exact = number->ratio;
    literal->kept = NULL;
    if (number->kind == PRISM_NUMBER_RATIO)
        return true;
    literal->kept = keep(number, arena);
    return literal->kept != NULL;
}

bool prism_literal_move(prism_node *literal, base_arena *arena)
{
    prism_number number;
    if (literal->op != PRISM_OP_REAL || literal->kept == NULL)
        return true;
    unpack(literal->kept, &number);
    return prism_literal_set(literal, &number, arena);
}
