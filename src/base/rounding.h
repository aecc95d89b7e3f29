/* SPDX-License-Identifier: MIT */
/* Rounds doubles to decimals, independently of the locale. */
#ifndef BASE_ROUNDING_H
#define BASE_ROUNDING_H

/*
 * The double nearest to the decimal of `digits` digits (1 to 17) that is nearest to the value; infinite if
 * that decimal is too large. 0, infinities and NaN are unchanged.
 */
double base_round_digits(double value, int digits);

#endif
