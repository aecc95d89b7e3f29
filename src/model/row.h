/* SPDX-License-Identifier: MIT */
/*
 * The probabilities of one choice. They stand for the numbers that were given, divided by their
 * exact sum: readers accept sums that are nearly 1, and every row of a model goes through
 * model_row_divide, so that the sum of the doubles is 1 within MODEL_SUM_ROUNDING.
 */
#ifndef MODEL_ROW_H
#define MODEL_ROW_H

#include <stddef.h>

/* The sum, to the last bit or two, however many there are (base/sum.h). */
double model_row_sum(const double *prob, size_t count);

/* Divides by the sum if it is not 1; a row that was divided is not changed again. At most 1 each. */
void model_row_divide(double *prob, size_t count);

#endif
