/* SPDX-License-Identifier: MIT */
/*
 * Weights of a finite distribution, given by others and so to be checked:
 * non-negative, finite, not all zero, with a sum that fits a double. They need
 * not add up to 1.
 */
#ifndef STAT_WEIGHTS_H
#define STAT_WEIGHTS_H

#include <stddef.h>

#include "base/error.h"

/* *sum: of all weights, added in order. The message names the first bad weight, from 0. */
opac_status stat_weights_check(const double *weights, size_t count, double *sum, opac_error *error);

#endif
