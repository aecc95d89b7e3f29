/* SPDX-License-Identifier: MIT */
/*
 * Comparing a probability with a bound, on whichever side of the truth their
 * doubles lie: a bound such as 0.3 is the fraction 3/10, which no double is.
 */
#ifndef CHECK_BOUND_H
#define CHECK_BOUND_H

#include <omegapac/check.h>

#include "base/rational.h"

/* What is known of a probability. */
typedef struct check_value {
    double lower, upper;
    bool between;               /* strictly between 0 and 1, as the graph says */
    const base_rational *exact; /* NULL: only the enclosure is known */
} check_value;

/* Whether the graph alone decides it: the bound is 0 or 1, or beyond. */
bool check_bound_is_extreme(const opac_objective *objective);

/* NONE when the objective has no bound. Fails only for want of memory. */
opac_status check_bound_compare(const opac_objective *objective, const check_value *value,
                                opac_verdict *verdict, opac_error *error);

#endif
