/* SPDX-License-Identifier: MIT */
#include "stat/weights.h"

#include <math.h>

#include <omegapac/number.h>

/* Half of the greatest double, so that the sum does not overflow in any other order either. */
static const double largest_sum = 0x1p1023;

opac_status stat_weights_check(const double *weights, size_t count, double *sum, opac_error *error)
{
    char text[OPAC_NUMBER_SIZE];
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(weights[i] >= 0) || isinf(weights[i]))
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "weight %zu is %s; weights must be finite and not negative", i,
                             opac_number_format(weights[i], text));
        total += weights[i];
    }
    if (total > largest_sum)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the sum of the weights exceeds %s",
                         opac_number_format(largest_sum, text));
    if (total == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "at least one weight must be positive");
    *sum = total;
    return OPAC_OK;
}
