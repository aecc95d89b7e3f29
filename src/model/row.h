/* SPDX-License-Identifier: MIT */
/*
 * The probabilities of one choice. Readers accept sums that are nearly 1; the probabilities of the model are
 * the given numbers divided by their exact sum. Every row of a model is normalised by model_row_divide, so
 * the sum of the doubles is 1 within MODEL_SUM_ROUNDING.
 */
#ifndef MODEL_ROW_H
#define MODEL_ROW_H

#include <stddef.h>

/* The sum, precise to the last bit or two for any number of items (base/sum.h). */
double model_row_sum(const double *prob, size_t count);

/*
 * Divides by the sum unless it is 1 within MODEL_SUM_ROUNDING, and clamps to 1. A second call changes
 * nothing.
 */
void model_row_divide(double *prob, size_t count);

#endif
