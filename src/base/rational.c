/* SPDX-License-Identifier: MIT */
/*
 * Fractions by GMP. The way to doubles is our own: mpq_get_d truncates and says
 * little about what is too small or too large, while an enclosure needs to know
 * on which side of the number it is.
 */
#include "base/rational.h"

#include "base/alloc.h"

#if defined(OMEGAPAC_HAVE_GMP)

#include <float.h>
#include <math.h>

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
    *rational = base_alloc(1, sizeof **rational);
    if (*rational == NULL)
        return base_fail_memory(error);
    mpq_init((*rational)->value);
    return OPAC_OK;
}

void base_rational_free(base_rational *rational)
{
    if (rational != NULL)
        mpq_clear(rational->value);
    base_free(rational);
}

void base_rational_set(base_rational *rational, const base_rational *from)
{
    mpq_set(rational->value, from->value);
}

/* By import, since GMP's own functions take a long, which may have 32 bits. */
static void set_integer(mpz_t integer, int64_t value)
{
    uint64_t magnitude = value < 0 ? UINT64_C(0) - (uint64_t)value : (uint64_t)value;
    mpz_import(integer, 1, -1, sizeof magnitude, 0, 0, &magnitude);
    if (value < 0)
        mpz_neg(integer, integer);
}

void base_rational_set_ratio(base_rational *rational, base_ratio ratio)
{
    set_integer(mpq_numref(rational->value), ratio.numerator);
    set_integer(mpq_denref(rational->value), ratio.denominator);
    mpq_canonicalize(rational->value);
}

void base_rational_set_double(base_rational *rational, double value)
{
    mpq_set_d(rational->value, value);
}

void base_rational_complement(base_rational *rational)
{
    mpz_ptr numerator = mpq_numref(rational->value);
    mpz_sub(numerator, mpq_denref(rational->value), numerator); /* stays in lowest terms */
}

int base_rational_compare(const base_rational *a, const base_rational *b)
{
    int order = mpq_cmp(a->value, b->value);
    return (order > 0) - (order < 0);
}

/*
 * numerator / denominator, both above 0, is digits · 2^exponent and `rest` more,
 * where digits has as many bits as a double holds there. Returns how twice the
 * rest compares with 2^exponent, as -1, 0 or 1, and -2 for no rest at all.
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
    order = mpz_sgn(rest) == 0 ? -2 : (order > 0) - (order < 0);
    mpz_clears(top, bottom, rest, NULL);
    return order;
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

void base_rational_to_double(const base_rational *rational, double *value, double *lower,
                             double *upper)
{
    int sign = mpq_sgn(rational->value);
    if (sign == 0) {
        *value = *lower = *upper = 0;
        return;
    }
    mpz_t numerator;
    mpz_init(numerator);
    mpz_abs(numerator, mpq_numref(rational->value));
    double inner, outer;
    enclose(numerator, mpq_denref(rational->value), value, &inner, &outer);
    mpz_clear(numerator);
    *lower = sign > 0 ? inner : -outer;
    *upper = sign > 0 ? outer : -inner;
    *value = sign > 0 ? *value : -*value;
}

opac_status base_rational_format(const base_rational *rational, char **text, opac_error *error)
{
    size_t size = mpz_sizeinbase(mpq_numref(rational->value), 10) +
                  mpz_sizeinbase(mpq_denref(rational->value), 10) + 3; /* sign, slash, NUL */
    *text = base_alloc(size, 1);
    if (*text == NULL)
        return base_fail_memory(error);
    mpq_get_str(*text, 10, rational->value);
    return OPAC_OK;
}

#else /* nobody has a rational, so that only the first three are ever called */

bool base_rational_available(void)
{
    return false;
}

opac_status base_rational_new(base_rational **rational, opac_error *error)
{
    *rational = NULL;
    return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                     "this build has no exact arithmetic (GMP was not there)");
}

void base_rational_free(base_rational *rational)
{
    base_free(rational);
}

void base_rational_set(base_rational *rational, const base_rational *from)
{
    (void)rational, (void)from;
}

void base_rational_set_ratio(base_rational *rational, base_ratio ratio)
{
    (void)rational, (void)ratio;
}

void base_rational_set_double(base_rational *rational, double value)
{
    (void)rational, (void)value;
}

void base_rational_complement(base_rational *rational)
{
    (void)rational;
}

int base_rational_compare(const base_rational *a, const base_rational *b)
{
    (void)a, (void)b;
    return 0;
}

void base_rational_to_double(const base_rational *rational, double *value, double *lower,
                             double *upper)
{
    (void)rational;
    *value = *lower = *upper = 0;
}

opac_status base_rational_format(const base_rational *rational, char **text, opac_error *error)
{
    base_rational *none;
    (void)rational;
    *text = NULL;
    return base_rational_new(&none, error);
}

#endif
