/* SPDX-License-Identifier: MIT */
/* Operations with fractions; an error fails the test. */
#ifndef SUPPORT_RATIONAL_H
#define SUPPORT_RATIONAL_H

#include "base/rational.h"
#include "support/check.h"

static inline void rational_set(base_rational *rational, const base_rational *from)
{
    opac_error error = {0};
    assert_ok(base_rational_set(rational, from, &error), &error);
}

static inline void rational_set_ratio(base_rational *rational, base_ratio ratio)
{
    opac_error error = {0};
    assert_ok(base_rational_set_ratio(rational, ratio, &error), &error);
}

static inline void rational_set_double(base_rational *rational, double value)
{
    opac_error error = {0};
    assert_ok(base_rational_set_double(rational, value, &error), &error);
}

static inline void rational_complement(base_rational *rational)
{
    opac_error error = {0};
    assert_ok(base_rational_complement(rational, &error), &error);
}

static inline int rational_compare(const base_rational *a, const base_rational *b)
{
    opac_error error = {0};
    int order = 0;
    assert_ok(base_rational_compare(a, b, &order, &error), &error);
    return order;
}

static inline void rational_to_double(const base_rational *rational, double *value, double *lower,
                                      double *upper)
{
    opac_error error = {0};
    assert_ok(base_rational_to_double(rational, value, lower, upper, &error), &error);
}

#endif
