/* SPDX-License-Identifier: MIT */
/*
 * Exact operations try 64-bit fractions first. Approximations are long doubles with a bound on the absolute
 * error. The bound is itself computed with rounding errors, and is therefore multiplied by 1.001 each time.
 */
#include "prism/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "prism/arithmetic.h"

#define MAX_RELATIVE_ERROR 0x1p-57L /* of an approximation that counts as precise */

enum {
    MAX_DENOMINATOR = 12 /* of logarithms and exponents for which an exact result is tried */
};

typedef struct prism_stored_number { /* node->stored */
    prism_number_kind kind;
    bool negative;
    unsigned top, bottom; /* limbs */
    long double value, error;
    uint32_t limbs[]; /* of the numerator, then of the denominator */
} stored_number;

/* ---- construction ---- */

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

static void set_approximation(long double value, long double error, prism_number *result)
{
    set_undefined(result);
    if (isnan(value) || !isfinite(error))
        return;
    result->kind = PRISM_NUMBER_APPROXIMATE;
    result->value = value;
    result->error = isinf(value) ? 0 : error * 1.001L;
}

/* Sets the kind and the ratio, given result->big. */
static void set_big(prism_number *result)
{
    result->ratio = base_big_to_ratio(&result->big);
    result->kind = base_ratio_is_known(result->ratio) ? PRISM_NUMBER_RATIO : PRISM_NUMBER_BIG;
    result->value = result->error = 0;
}

void prism_number_of_text(const char *text, size_t length, double value, prism_number *result)
{
    prism_number_of_ratio(base_ratio_parse(text, length), result);
    if (result->kind == PRISM_NUMBER_RATIO)
        return;
    if (base_big_parse(text, length, &result->big))
        set_big(result);
    else
        set_approximation((long double)value, fabsl((long double)value) * 0x1p-52L, result);
}

void prism_number_copy(const prism_number *from, prism_number *to)
{
    if (from->kind == PRISM_NUMBER_BIG)
        to->big = from->big;
    to->kind = from->kind;
    to->ratio = from->ratio;
    to->value = from->value;
    to->error = from->error;
}

static bool is_exact(const prism_number *a)
{
    return a->kind == PRISM_NUMBER_RATIO || a->kind == PRISM_NUMBER_BIG;
}

/* The number, which must be exact, as a base_big; *buffer is used if it has to be converted. */
static const base_big *as_big(const prism_number *a, base_big *buffer)
{
    if (a->kind == PRISM_NUMBER_BIG)
        return &a->big;
    base_big_of_ratio(a->ratio, buffer);
    return buffer;
}

/* ---- approximations ---- */

typedef struct approximation {
    long double value, error;
} approximation;

static approximation approximate(const prism_number *a)
{
    base_big buffer;
    int exponent;
    if (a->kind == PRISM_NUMBER_APPROXIMATE)
        return (approximation){a->value, a->error};
    if (!is_exact(a))
        return (approximation){(long double)NAN, 0};
    const base_big *big = as_big(a, &buffer);
    int sign = base_big_sign(big);
    if (sign == 0)
        return (approximation){0, 0};
    uint64_t quotient = base_big_quotient(big, &exponent);
    long double value = ldexpl((long double)quotient, exponent);
    bool is_exact_value = (quotient & 1) == 0 && LDBL_MANT_DIG >= 64; /* see base_big_quotient */
    return (approximation){(long double)sign * value,
                           is_exact_value ? 0 : value * (LDBL_EPSILON + 0x1p-62L) + LDBL_MIN};
}

/* A bound on the error of one rounding. */
static long double rounding(long double value)
{
    return fabsl(value) * LDBL_EPSILON + LDBL_MIN;
}

static void divide_approximately(approximation a, approximation b, prism_number *result)
{
    long double value = a.value / b.value, least = fabsl(b.value) - b.error;
    if (least > 0)
        set_approximation(value, (a.error + fabsl(value) * b.error) / least + rounding(value),
                          result);
    else
        set_undefined(result);
}

/* A bound on |ln a' - ln a| for all a' with |a' - a| <= error. */
static long double log_error(approximation a)
{
    long double least = fabsl(a.value) - a.error;
    return a.error == 0 ? 0 : least > 0 ? a.error / least : (long double)INFINITY;
}

static void power_approximately(approximation a, approximation b, prism_number *result)
{
    long double value = powl(a.value, b.value), size = fabsl(a.value);
    long double shift = (fabsl(b.value) + b.error) * log_error(a);
    if (b.error > 0)
        shift += b.error * (fabsl(logl(size)) * (1 + 4 * LDBL_EPSILON) + log_error(a));
    if (shift < 1)
        set_approximation(value, fabsl(value) * 2 * shift + 4 * rounding(value), result);
    else
        set_undefined(result);
}

static approximation log_approximately(approximation a)
{
    long double value = logl(a.value);
    return (approximation){value, log_error(a) + 4 * rounding(value)};
}

static void apply_approximately(prism_op op, approximation a, approximation b, prism_number *result)
{
    long double value;
    switch (op) {
    case PRISM_OP_SUBTRACT:
        b.value = -b.value;
        /* fall through */
    case PRISM_OP_ADD:
        value = a.value + b.value;
        set_approximation(value, a.error + b.error + rounding(value), result);
        break;
    case PRISM_OP_MULTIPLY:
        value = a.value * b.value;
        set_approximation(value,
                          fabsl(a.value) * b.error + (fabsl(b.value) + b.error) * a.error +
                              rounding(value),
                          result);
        break;
    case PRISM_OP_DIVIDE:
        divide_approximately(a, b, result);
        break;
    case PRISM_OP_POWER:
        power_approximately(a, b, result);
        break;
    default: /* log */
        divide_approximately(log_approximately(a), log_approximately(b), result);
        break;
    }
}

/* ---- exact results ---- */

static base_ratio apply_to_ratios(prism_op op, base_ratio a, base_ratio b)
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

static bool big_power(const base_big *base, int64_t exponent, base_big *result)
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

/* Requires that both are exact, and that neither a divisor nor the base of a negative power is 0. */
static bool apply_exactly(prism_op op, const prism_number *a, const prism_number *b,
                          prism_number *result)
{
    if (a->kind == PRISM_NUMBER_RATIO && b->kind == PRISM_NUMBER_RATIO) {
        base_ratio ratio = apply_to_ratios(op, a->ratio, b->ratio);
        if (base_ratio_is_known(ratio)) {
            prism_number_of_ratio(ratio, result);
            return true;
        }
    }
    base_big left_buffer, right_buffer, value;
    const base_big *left = as_big(a, &left_buffer), *right = as_big(b, &right_buffer);
    bool fits = op == PRISM_OP_ADD                    ? base_big_add(left, right, &value)
                : op == PRISM_OP_SUBTRACT             ? base_big_subtract(left, right, &value)
                : op == PRISM_OP_MULTIPLY             ? base_big_multiply(left, right, &value)
                : op == PRISM_OP_DIVIDE               ? base_big_divide(left, right, &value)
                : op == PRISM_OP_POWER && is_whole(b) ? big_power(left, b->ratio.numerator, &value)
                                                      : false;
    if (fits) {
        result->big = value;
        set_big(result);
    }
    return fits;
}

/* Whether a^p = b^q. */
static bool is_same_power(const prism_number *a, int64_t p, const prism_number *b, int64_t q)
{
    prism_number exponent, left, right;
    set_integer(p, &exponent);
    if (!apply_exactly(PRISM_OP_POWER, a, &exponent, &left))
        return false;
    set_integer(q, &exponent);
    return apply_exactly(PRISM_OP_POWER, b, &exponent, &right) &&
           prism_number_compare(&left, &right) == 0;
}

/*
 * Replaces an approximate logarithm by a fraction p/q near it if powers confirm it: log(8, 4) is 3/2, since
 * 4^3 = 8^2.
 */
static void make_log_exact(const prism_number *a, const prism_number *b, prism_number *result)
{
    if (result->kind != PRISM_NUMBER_APPROXIMATE || !is_exact(a) || !is_exact(b) ||
        fabsl(result->value) > 4096)
        return;
    for (int64_t q = 1; q <= MAX_DENOMINATOR; q++) {
        long double p = roundl(result->value * (long double)q);
        if (fabsl(p / (long double)q - result->value) <= 2 * result->error &&
            is_same_power(b, (int64_t)p, a, q)) {
            prism_number_of_ratio(base_ratio_of((int64_t)p, q), result);
            return;
        }
    }
}

/* The q-th root of an integer up to 2^53, if it is an integer; else another number. */
static int64_t round_root(int64_t a, int64_t q)
{
    return (int64_t)roundl(powl((long double)a, 1 / (long double)q));
}

/* Computes a power with a fractional exponent exactly if the root is a fraction: pow(4/9, 0.5) is 2/3. */
static bool power_by_root(const prism_number *a, const prism_number *b, prism_number *result)
{
    const int64_t most = INT64_C(1) << 53;
    prism_number root;
    if (a->kind != PRISM_NUMBER_RATIO || b->kind != PRISM_NUMBER_RATIO ||
        b->ratio.denominator > MAX_DENOMINATOR || a->ratio.numerator <= 0 ||
        a->ratio.numerator > most || a->ratio.denominator > most)
        return false;
    int64_t q = b->ratio.denominator;
    prism_number_of_ratio(
        base_ratio_of(round_root(a->ratio.numerator, q), round_root(a->ratio.denominator, q)),
        &root);
    if (root.kind != PRISM_NUMBER_RATIO || !is_same_power(&root, q, a, 1))
        return false;
    prism_number whole;
    set_integer(b->ratio.numerator, &whole);
    return apply_exactly(PRISM_OP_POWER, &root, &whole, result);
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
    apply_approximately(PRISM_OP_LOG, approximate(a), approximate(b), &value);
    make_log_exact(a, b, &value);
    prism_number_copy(&value, result);
}

/* The minimum (sign is -1) or the maximum (sign is 1) of two numbers. */
static void extremum(int sign, const prism_number *a, const prism_number *b, prism_number *result)
{
    int order = prism_number_compare(a, b);
    if (order != PRISM_UNDECIDED) {
        const prism_number *best = order == sign || order == 0 ? a : b;
        if (best != result)
            prism_number_copy(best, result);
        return;
    }
    approximation left = approximate(a), right = approximate(b);
    long double value = (sign < 0) == (left.value < right.value) ? left.value : right.value;
    set_approximation(isnan(left.value) ? left.value : value,
                      left.error > right.error ? left.error : right.error, result);
}

/* The result of dividing a number with this sign by 0: ±infinity or undefined, as for doubles. */
static void divide_by_zero(int sign, prism_number *result)
{
    if (sign == 0 || sign == PRISM_UNDECIDED)
        set_undefined(result);
    else
        set_approximation((long double)sign * (long double)INFINITY, 0, result);
}

static bool is_finite(const prism_number *a)
{
    return is_exact(a) || (a->kind == PRISM_NUMBER_APPROXIMATE && isfinite(a->value));
}

/* Whether one is 0 and the other one is finite. */
static bool is_zero_of_finite(const prism_number *a, const prism_number *b)
{
    return (prism_number_sign(a) == 0 && is_finite(b)) ||
           (prism_number_sign(b) == 0 && is_finite(a));
}

void prism_number_apply(prism_op op, const prism_number *a, const prism_number *b,
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
    } else if (op == PRISM_OP_POWER && !is_whole(b) && power_by_root(a, b, result)) {
        return;
    } else if (!is_exact(a) || !is_exact(b) || !apply_exactly(op, a, b, result)) {
        apply_approximately(op, approximate(a), approximate(b), result);
    }
}

/* ---- signs and comparisons ---- */

static int sign_of(approximation a)
{
    return isnan(a.value) || fabsl(a.value) <= a.error ? PRISM_UNDECIDED : a.value > 0 ? 1 : -1;
}

int prism_number_sign(const prism_number *a)
{
    if (a->kind == PRISM_NUMBER_RATIO)
        return (a->ratio.numerator > 0) - (a->ratio.numerator < 0);
    return a->kind == PRISM_NUMBER_BIG ? base_big_sign(&a->big) : sign_of(approximate(a));
}

int prism_number_compare(const prism_number *a, const prism_number *b)
{
    base_big left_buffer, right_buffer;
    if (a->kind == PRISM_NUMBER_RATIO && b->kind == PRISM_NUMBER_RATIO)
        return base_ratio_compare(a->ratio, b->ratio);
    if (is_exact(a) && is_exact(b))
        return base_big_compare(as_big(a, &left_buffer), as_big(b, &right_buffer));
    approximation left = approximate(a), right = approximate(b);
    long double difference = left.value - right.value;
    return sign_of((approximation){difference, (left.error + right.error) * 1.001L +
                                                   (isinf(difference) ? 0 : rounding(difference))});
}

const char *prism_number_round(prism_op op, const prism_number *a, int64_t *result)
{
    static const char *const too_large = PRISM_NOT_ROUNDABLE;
    base_big buffer;
    bool whole = false, half = false;
    if (is_exact(a)) {
        if (!base_big_floor(as_big(a, &buffer), result, &whole, &half))
            return too_large;
    } else {
        approximation near = approximate(a);
        if (!(fabsl(near.value) < 0x1p62L))
            return too_large;
        long double shift = op == PRISM_OP_ROUND ? 0.5L : 0;
        long double below = floorl(near.value - near.error + shift);
        if (below != floorl(near.value + near.error + shift))
            return "floor, ceil or round of a value that is not known exactly and so close to a "
                   "jump that the result cannot be decided";
        *result = (int64_t)below; /* the number is not an integer, or the floors would differ */
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
    base_big buffer;
    int exponent;
    *high = *low = 0;
    if (prism_number_sign(a) == 0)
        return true;
    if (!is_exact(a)) {
        approximation near = approximate(a);
        *high = (double)near.value;
        *low = (double)(near.value - (long double)*high);
        return isfinite(*high) && near.error <= fabsl(near.value) * MAX_RELATIVE_ERROR;
    }
    const base_big *big = as_big(a, &buffer);
    double sign = base_big_sign(big);
    uint64_t quotient = base_big_quotient(big, &exponent);
    double nearest = (double)quotient; /* may be 2^64, which is 0 modulo 2^64 */
    uint64_t back = nearest < 0x1p64 ? (uint64_t)nearest : 0;
    *high = sign * ldexp(nearest, exponent);
    *low = sign * ldexp((double)(int64_t)(quotient - back), exponent);
    return isfinite(*high);
}

/* ---- literals ---- */

/* Stores a number that is not a ratio in the arena; NULL if memory is exhausted. */
static const stored_number *store(const prism_number *a, base_arena *arena)
{
    bool is_big = a->kind == PRISM_NUMBER_BIG;
    unsigned top = is_big ? a->big.top.count : 0, bottom = is_big ? a->big.bottom.count : 0;
    stored_number *stored =
        base_arena_alloc(arena, 1, sizeof *stored + ((size_t)top + bottom) * sizeof *stored->limbs);
    if (stored == NULL)
        return NULL;
    *stored = (stored_number){.kind = a->kind, .top = top, .bottom = bottom};
    if (is_big) {
        stored->negative = a->big.negative;
        memcpy(stored->limbs, a->big.top.limbs, top * sizeof *stored->limbs);
        memcpy(stored->limbs + top, a->big.bottom.limbs, bottom * sizeof *stored->limbs);
    } else if (a->kind == PRISM_NUMBER_APPROXIMATE) {
        stored->value = a->value;
        stored->error = a->error;
    }
    return stored;
}

static void unpack(const stored_number *stored, prism_number *result)
{
    set_undefined(result);
    result->kind = stored->kind;
    result->value = stored->value;
    result->error = stored->error;
    result->big.negative = stored->negative;
    result->big.top.count = stored->top;
    result->big.bottom.count = stored->bottom;
    memcpy(result->big.top.limbs, stored->limbs, stored->top * sizeof *stored->limbs);
    memcpy(result->big.bottom.limbs, stored->limbs + stored->top,
           stored->bottom * sizeof *stored->limbs);
}

void prism_number_of_literal(const prism_node *literal, prism_number *result)
{
    if (literal->op != PRISM_OP_REAL)
        set_integer(literal->value.integer, result);
    else if (base_ratio_is_known(literal->exact) || literal->stored == NULL)
        prism_number_of_ratio(literal->exact, result);
    else
        unpack(literal->stored, result);
}

bool prism_literal_set_number(prism_node *literal, const prism_number *number, base_arena *arena)
{
    literal->exact = number->ratio;
    literal->stored = NULL;
    if (number->kind == PRISM_NUMBER_RATIO)
        return true;
    literal->stored = store(number, arena);
    return literal->stored != NULL;
}

bool prism_literal_copy_number(prism_node *literal, base_arena *arena)
{
    prism_number number;
    if (literal->op != PRISM_OP_REAL || literal->stored == NULL)
        return true;
    unpack(literal->stored, &number);
    return prism_literal_set_number(literal, &number, arena);
}
