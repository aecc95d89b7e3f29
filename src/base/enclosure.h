/* SPDX-License-Identifier: MIT */
/*
 * Real numbers between doubles, with outward rounding.
 *
 * An enclosure whose ends are equal is that double. Otherwise the number lies strictly between
 * them: the number 0.3 is in (0.3 - 2^-54, 0.3), whose ends are neighbours. Operations keep this,
 * and give the narrowest ends where the operands are doubles.
 *
 * An enclosure with an end that is not finite contains every number (base_enclosure_is_known).
 */
#ifndef BASE_ENCLOSURE_H
#define BASE_ENCLOSURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/ratio.h"

typedef struct base_enclosure {
    double low, high;
} base_enclosure;

bool base_enclosure_is_known(base_enclosure a);
base_enclosure base_enclosure_unknown(void);

base_enclosure base_enclosure_of_double(double value);
base_enclosure base_enclosure_of_integer(int64_t value);
/* Known. */
base_enclosure base_enclosure_of_ratio(base_ratio ratio);
/* A decimal without a sign (0.25, .5, 1e-3), of any length; unknown if it is none. */
base_enclosure base_enclosure_parse(const char *text, size_t length);

base_enclosure base_enclosure_negate(base_enclosure a);
base_enclosure base_enclosure_add(base_enclosure a, base_enclosure b);
base_enclosure base_enclosure_multiply(base_enclosure a, base_enclosure b);
/* Unknown if the divisor may be 0. */
base_enclosure base_enclosure_divide(base_enclosure a, base_enclosure b);
/* By repeated squaring. */
base_enclosure base_enclosure_power(base_enclosure a, int64_t exponent);

#endif
