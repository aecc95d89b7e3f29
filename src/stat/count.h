/* SPDX-License-Identifier: MIT */
/*
 * Making opac_count values: exact where they fit 64 bits, else by logarithm.
 * Formulas are therefore evaluated twice: in logarithms, which cannot overflow,
 * and, when these say that the result may fit, in double-double.
 */
#ifndef STAT_COUNT_H
#define STAT_COUNT_H

#include <stdbool.h>

#include <omegapac/bound.h>

#include "base/double_double.h"

/* Whether a number with this decimal logarithm is worth computing: it may fit, or nearly so. */
bool stat_count_may_fit(double log10);

opac_count stat_count_saturated(double log10);

/* The ceiling of a number, but at least 1. */
opac_count stat_count_ceiling(base_dd number);

#endif
