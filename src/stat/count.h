/* SPDX-License-Identifier: MIT */
/*
 * Constructs opac_count values, which are exact if they fit 64 bits and otherwise given by their logarithm.
 * The callers evaluate formulas in logarithms first, which cannot overflow, and in double-doubles if the
 * result may fit.
 */
#ifndef STAT_COUNT_H
#define STAT_COUNT_H

#include <stdbool.h>

#include <omegapac/bound.h>

#include "base/double_double.h"

/* Whether a number with this decimal logarithm may fit 64 bits, by a generous margin. */
bool stat_count_may_fit(double log10);

/* A count that does not fit 64 bits. */
opac_count stat_count_saturated(double log10);

/* The ceiling of a number, and at least 1. */
opac_count stat_count_ceiling(base_dd number);

#endif
