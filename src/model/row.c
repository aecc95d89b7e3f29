/* SPDX-License-Identifier: MIT */
#include "model/row.h"

#include <math.h>

#include "base/sum.h"
#include "model/model.h"

double model_row_sum(const double *prob, size_t count)
{
    double sum = 0, rest = 0;
    for (size_t i = 0; i < count; i++)
        sum = base_sum_add(sum, prob[i], &rest);
    return sum + rest;
}

void model_row_divide(double *prob, size_t count)
{
    double sum = model_row_sum(prob, count);
    for (size_t i = 0; i < count && fabs(sum - 1) > MODEL_SUM_ROUNDING; i++)
        prob[i] /= sum;
    for (size_t i = 0; i < count; i++) /* merging tiny branches can round to slightly more than 1 */
        prob[i] = fmin(prob[i], 1);
}
