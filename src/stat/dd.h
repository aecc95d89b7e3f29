/* SPDX-License-Identifier: MIT */
/*
 * Double-double numbers: the unevaluated sum of two doubles, some 106 bits, for
 * the few places where a double does not do, such as a ceiling above 2^53.
 * Addition, multiplication and division follow Dekker, "A floating-point
 * technique for extending the available precision" (1971), with the error
 * bounds of Joldes, Muller and Popescu, "Tight and rigorous error bounds for
 * basic building blocks of double-word arithmetic" (2017): a few units of
 * 2^-106, relative. A quotient that is a double-double is found exactly.
 *
 * Invariant: high is the sum rounded to a double. Numbers stay clear of
 * overflow and of 1e-250, below which the products' errors vanish.
 */
#ifndef STAT_DD_H
#define STAT_DD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct stat_dd {
    double high, low;
} stat_dd;

stat_dd stat_dd_of(double x);
stat_dd stat_dd_of_u64(uint64_t x);

stat_dd stat_dd_negate(stat_dd a);
stat_dd stat_dd_add(stat_dd a, stat_dd b);
stat_dd stat_dd_subtract(stat_dd a, stat_dd b);
stat_dd stat_dd_multiply(stat_dd a, stat_dd b);
stat_dd stat_dd_divide(stat_dd a, stat_dd b);
stat_dd stat_dd_sqrt(stat_dd a);                     /* a >= 0 */
stat_dd stat_dd_power(stat_dd a, uint64_t exponent); /* relative error: exponent · 2^-104 */
bool stat_dd_less(stat_dd a, stat_dd b);

stat_dd stat_dd_log2(void);       /* ln 2 */
stat_dd stat_dd_log(stat_dd a);   /* ln a; a > 0, any double included, also subnormal ones */
stat_dd stat_dd_log1p(stat_dd a); /* ln(1 + a); a > -1 */

/* The least integer >= a; false when it is negative or above UINT64_MAX. */
bool stat_dd_ceiling(stat_dd a, uint64_t *result);

/* A double that is at least a, even if a is too small by a relative 1e-28. */
double stat_dd_round_up(stat_dd a);

#endif
