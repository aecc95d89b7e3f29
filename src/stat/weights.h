/* SPDX-License-Identifier: MIT */
/*
 * Validates the weights of a finite distribution: they must be nonnegative and finite, not all zero, and
 * their sum must fit a double. They need not sum to 1.
 */
#ifndef STAT_WEIGHTS_H
#define STAT_WEIGHTS_H

#include <stddef.h>

#include "base/error.h"

/*
 * *sum: the sum of all weights, added in order. The message names the first invalid weight, counted from 0.
 */
opac_status stat_weights_check(const double *weights, size_t count, double *sum, opac_error *error);

#endif
