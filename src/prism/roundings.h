/* SPDX-License-Identifier: MIT */
/*
 * How precise an expression is in doubles. Without differences nothing cancels,
 * and the relative error is at most 2^-53 for each rounding on the way to the result:
 * x/10 has one, 0.3*x has two, since 0.3 is rounded itself.
 */
#ifndef PRISM_ROUNDINGS_H
#define PRISM_ROUNDINGS_H

#include "prism/program.h"

enum {
    PRISM_MOST_ROUNDINGS = 2 /* of a probability that is computed in doubles */
};

/*
 * *count is that number, at least 1; 0 when it is above `most`, or not known: the expression has a
 * difference of reals, a power, or a rounding or comparison of reals.
 */
opac_status prism_count_roundings(const prism_program *program, const prism_expression *expression,
                                  uint8_t most, uint8_t *count, opac_error *error);

#endif
