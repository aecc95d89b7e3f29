/* SPDX-License-Identifier: MIT */
/*
 * Fractions by GMP. Conversion to doubles does not use mpq_get_d, which truncates and does not specify
 * underflow and overflow: an enclosure must know on which side of the number it is.
 */
#include "base/rational.h"

#include "base/alloc.h"

#if defined(OMEGAPAC_HAVE_GMP)

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/rational_gmp.h"

enum {
    LEAST_EXPONENT = DBL_MIN_EXP - DBL_MANT_DIG,   /* of the smallest denormal: -1074 */
    LARGEST_EXPONENT = DBL_MAX_EXP - DBL_MANT_DIG, /* of the last bit of DBL_MAX: 971 */
};

bool base_rational_available(void)
{
    return true;
}

opac_status base_rational_new(base_rational **rational, opac_error *error)
{
    *rational = base_alloc_zeroed(1, sizeof **rational);
    return *rational != NULL ? OPAC_OK : base_fail_memory(error);
}

void base_rational_free(base_rational *rational)
{
    if (rational != NULL)
        base_free(rational->limbs);
    base_free(rational);
}

/* ---- conversion between base_rational and GMP ---- */

void base_rational_view(const base_rational *rational, mpq_ptr view)
{
    static const mp_limb_t one = 1;
    mp_size_t top = rational->top < 0 ? -rational->top : rational->top;
    mpz_roinit_n(mpq_numref(view), rational->limbs, rational->top);
    if (rational->limbs != NULL)
        mpz_roinit_n(mpq_denref(view), rational->limbs + top, rational->bottom);
    else
        mpz_roinit_n(mpq_denref(view), &one, 1);
}

opac_status base_rational_keep(base_rational *rational, mpq_srcptr value, opac_error *error)
{
    size_t top = mpz_size(mpq_numref(value)), bottom = mpz_size(mpq_denref(value));
    mp_limb_t *limbs = base_alloc(top + bottom, sizeof *limbs);
    if (limbs == NULL)
        return base_fail_memory(error);
    if (top > 0)
        memcpy(limbs, mpz_limbs_read(mpq_numref(value)), top * sizeof *limbs);
    memcpy(limbs + top, mpz_limbs_read(mpq_denref(value)), bottom * sizeof *limbs);
    base_free(rational->limbs);
    rational->limbs = limbs;
    rational->top = mpq_sgn(value) < 0 ? -(mp_size_t)top : (mp_size_t)top;
    rational->bottom = (mp_size_t)bottom;
    return OPAC_OK;
}

/* Uses mpz_import, since other GMP functions take a long, which may have 32 bits. */
static void set_integer(mpz_ptr integer, int64_t value)
{
    uint64_t magnitude = value < 0 ? UINT64_C(0) - (uint64_t)value : (uint64_t)value;
    mpz_import(integer, 1, -1, sizeof magnitude, 0, 0, &magnitude);
    if (value < 0)
        mpz_neg(integer, integer);
}

void base_rational_from_ratio(mpq_ptr value, base_ratio ratio)
{
    set_integer(mpq_numref(value), ratio.numerator);
    set_integer(mpq_denref(value), ratio.denominator);
    mpq_canonicalize(value);
}

/* ---- operations, each in a run of its own ---- */

typedef struct operation {
    base_rational *result;
    const base_rational *a, *b;
    base_ratio ratio;
    double number;
    int order;
    double value, lower, upper;
    char *text;
} operation;

opac_status base_rational_set(base_rational *rational, const base_rational *from, opac_error *error)
{
    mpq_t view;
    base_rational_view(from, view);
    return base_rational_keep(rational, view, error);
}

static opac_status set_ratio(void *context, opac_error *error)
{
    operation *o = context;
    mpq_t value;
    mpq_init(value);
    base_rational_from_ratio(value, o->ratio);
    return base_rational_keep(o->result, value, error);
}

opac_status base_rational_set_ratio(base_rational *rational, base_ratio ratio, opac_error *error)
{
    operation o = {.result = rational, .ratio = ratio};
    return base_gmp_run(set_ratio, &o, error);
}

static opac_status set_double(void *context, opac_error *error)
{
    operation *o = context;
    mpq_t value;
    mpq_init(value);
    mpq_set_d(value, o->number);
    return base_rational_keep(o->result, value, error);
}

opac_status base_rational_set_double(base_rational *rational, double value, opac_error *error)
{
    operation o = {.result = rational, .number = value};
    return base_gmp_run(set_double, &o, error);
}

static opac_status complement(void *context, opac_error *error)
{
    operation *o = context;
    mpq_t view, value;
    base_rational_view(o->result, view);
    mpq_init(value);
    mpz_sub(mpq_numref(value), mpq_denref(view), mpq_numref(view)); /* stays in lowest terms */
    mpz_set(mpq_denref(value), mpq_denref(view));
    return base_rational_keep(o->result, value, error);
}

opac_status base_rational_complement(base_rational *rational, opac_error *error)
{
    operation o = {.result = rational};
    return base_gmp_run(complement, &o, error);
}

static opac_status compare(void *context, opac_error *error)
{
    (void)error;
    operation *o = context;
    mpq_t a, b;
    base_rational_view(o->a, a);
    base_rational_view(o->b, b);
    o->order = mpq_cmp(a, b);
    return OPAC_OK;
}

opac_status base_rational_compare(const base_rational *a, const base_rational *b, int *order,
                                  opac_error *error)
{
    operation o = {.a = a, .b = b};
    TRY(base_gmp_run(compare, &o, error));
    *order = (o.order > 0) - (o.order < 0);
    return OPAC_OK;
}

/* ---- doubles ---- */

/*
 * Splits numerator / denominator, both above 0, into digits · 2^exponent and a rest, where digits has as
 * many bits as a double of that size. Returns the order of twice the rest and 2^exponent, as -1, 0 or 1; -2
 * if the rest is 0.
 */
static int split(mpz_srcptr numerator, mpz_srcptr denominator, int *exponent, double *digits)
{
    mpz_t top, bottom, rest;
    mpz_inits(top, bottom, rest, NULL);
    int order;
    for (;; ++*exponent) {
        mp_bitcnt_t shift = (mp_bitcnt_t)(*exponent < 0 ? -*exponent : *exponent);
        mpz_mul_2exp(top, numerator, *exponent < 0 ? shift : 0);
        mpz_mul_2exp(bottom, denominator, *exponent < 0 ? 0 : shift);
        mpz_tdiv_qr(top, rest, top, bottom);
        if (mpz_sizeinbase(top, 2) <= DBL_MANT_DIG)
            break;
    }
    *digits = mpz_get_d(top);
    mpz_mul_2exp(top, rest, 1);
    order = mpz_cmp(top, bottom);
    return mpz_sgn(rest) == 0 ? -2 : (order > 0) - (order < 0);
}

/* The doubles around numerator / denominator, both above 0. */
static void enclose(mpz_srcptr numerator, mpz_srcptr denominator, double *value, double *lower,
                    double *upper)
{
    /* 2^(bits-1) < numerator / denominator < 2^(bits+1) */
    double bits = (double)mpz_sizeinbase(numerator, 2) - (double)mpz_sizeinbase(denominator, 2);
    if (bits > DBL_MAX_EXP) {
        *lower = DBL_MAX;
        *value = *upper = HUGE_VAL;
        return;
    }
    int exponent = LEAST_EXPONENT;
    if (bits - DBL_MANT_DIG > LEAST_EXPONENT)
        exponent = (int)bits - DBL_MANT_DIG;
    double digits;
    int order = split(numerator, denominator, &exponent, &digits);
    if (exponent > LARGEST_EXPONENT) {
        *lower = DBL_MAX;
        *value = *upper = HUGE_VAL;
        return;
    }
    *lower = ldexp(digits, exponent);
    *upper = order == -2 ? *lower : ldexp(digits + 1, exponent);  /* 2^1024: infinite */
    bool up = order == 1 || (order == 0 && fmod(digits, 2) != 0); /* ties to even */
    *value = up ? *upper : *lower;
}

static opac_status to_double(void *context, opac_error *error)
{
    (void)error;
    operation *o = context;
    mpq_t view;
    base_rational_view(o->a, view);
    int sign = mpq_sgn(view);
    if (sign == 0)
        return OPAC_OK;
    mpz_t numerator;
    mpz_init(numerator);
    mpz_abs(numerator, mpq_numref(view));
    double inner, outer;
    enclose(numerator, mpq_denref(view), &o->value, &inner, &outer);
    o->lower = sign > 0 ? inner : -outer;
    o->upper = sign > 0 ? outer : -inner;
    o->value = sign > 0 ? o->value : -o->value;
    return OPAC_OK;
}

opac_status base_rational_to_double(const base_rational *rational, double *value, double *lower,
                                    double *upper, opac_error *error)
{
    operation o = {.a = rational};
    TRY(base_gmp_run(to_double, &o, error));
    *value = o.value;
    *lower = o.lower;
    *upper = o.upper;
    return OPAC_OK;
}

/* ---- text ---- */

static opac_status write_text(void *context, opac_error *error)
{
    (void)error;
    operation *o = context;
    mpq_t view;
    base_rational_view(o->a, view);
    mpq_get_str(o->text, 10, view);
    return OPAC_OK;
}

opac_status base_rational_format(const base_rational *rational, char **text, opac_error *error)
{
    mpq_t view;
    base_rational_view(rational, view);
    size_t size = mpz_sizeinbase(mpq_numref(view), 10) + mpz_sizeinbase(mpq_denref(view), 10) +
                  3; /* sign, slash, NUL */
    operation o = {.a = rational, .text = base_alloc(size, 1)};
    *text = NULL;
    if (o.text == NULL)
        return base_fail_memory(error);
    opac_status status = base_gmp_run(write_text, &o, error);
    if (status == OPAC_OK)
        *text = o.text;
    else
        base_free(o.text);
    return status;
}

#else /* no rational exists, so only the first three functions are ever called */

bool base_rational_available(void)
{
    return false;
}

opac_status base_rational_new(base_rational **rational, opac_error *error)
{
    *rational = NULL;
    return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                     "exact arithmetic is not available: this build does not include GMP");
}

void base_rational_free(base_rational *rational)
{
    base_free(rational);
}

static opac_status none(opac_error *error)
{
    base_rational *rational;
    return base_rational_new(&rational, error);
}

opac_status base_rational_set(base_rational *rational, const base_rational *from, opac_error *error)
{
    (void)rational, (void)from;
    return none(error);
}

opac_status base_rational_set_ratio(base_rational *rational, base_ratio ratio, opac_error *error)
{
    (void)rational, (void)ratio;
    return none(error);
}

opac_status base_rational_set_double(base_rational *rational, double value, opac_error *error)
{
    (void)rational, (void)value;
    return none(error);
}

opac_status base_rational_complement(base_rational *rational, opac_error *error)
{
    (void)rational;
    return none(error);
}

opac_status base_rational_compare(const base_rational *a, const base_rational *b, int *order,
                                  opac_error *error)
{
    (void)a, (void)b, (void)order;
    return none(error);
}

opac_status base_rational_to_double(const base_rational *rational, double *value, double *lower,
                                    double *upper, opac_error *error)
{
    (void)rational, (void)value, (void)lower, (void)upper;
    return none(error);
}

opac_status base_rational_format(const base_rational *rational, char **text, opac_error *error)
{
    (void)rational, (void)text;
    return none(error);
}

#endif
