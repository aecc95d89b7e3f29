/* SPDX-License-Identifier: MIT */
/*
 * Compares a probability with a bound rigorously: a bound such as 0.3 is the fraction 3/10, which is not
 * a double.
 */
#ifndef CHECK_BOUND_H
#define CHECK_BOUND_H

#include <omegapac/check.h>

#include "base/rational.h"

/* A probability that is known exactly or by bounds. */
typedef struct check_value {
    double lower, upper;
    bool between;               /* strictly between 0 and 1, by the graph */
    const base_rational *exact; /* NULL if only lower and upper are known */
} check_value;

/* Whether the graph decides the verdict, because the bound is at most 0 or at least 1. */
bool check_bound_is_extreme(const opac_objective *objective);

/* Computes the verdict; NONE if the objective has no bound. Fails only with OPAC_ERROR_MEMORY. */
opac_status check_bound_compare(const opac_objective *objective, const check_value *value,
                                opac_verdict *verdict, opac_error *error);

#endif
