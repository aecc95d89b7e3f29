/* SPDX-License-Identifier: MIT */
/*
 * Bounds the error of an expression that is evaluated in doubles. Without subtraction there is no
 * cancellation, and the relative error of the result is at most 2^-53 for each rounding on the way to it:
 * x/10 has one rounding; 0.3*x has two, since 0.3 is rounded as well.
 */
#ifndef PRISM_ROUNDING_ERROR_H
#define PRISM_ROUNDING_ERROR_H

#include "prism/program.h"

enum {
    PRISM_MAX_ROUNDING_ERROR =
        2 /* of a probability that is computed in doubles, in units of 2^-53 */
};

/*
 * *error_units is a bound on the relative error in units of 2^-53, at least 1; 0 if it exceeds `most` or is
 * not known, because the expression has a difference of reals, a power, or a rounding or comparison of reals.
 */
opac_status prism_bound_rounding_error(const prism_program *program,
                                       const prism_expression *expression, uint8_t most,
                                       uint8_t *error_units, opac_error *error);

#endif
