/* SPDX-License-Identifier: MIT */
/* Rounding doubles to decimals, in every locale alike. */
#ifndef BASE_ROUNDING_H
#define BASE_ROUNDING_H

/*
 * The double nearest to the value's nearest decimal of `digits` digits, from 1 to 17; infinite where that
 * decimal is too large. 0, infinities and NaN stay.
 */
double base_round_digits(double value, int digits);

#endif
