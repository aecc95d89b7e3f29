/* SPDX-License-Identifier: MIT */
/* Frequency of wrong answers, in thousands of runs. */
#include "learn/answer_cases.h"

SUITE(answer_coverage_long)
{
    return answer_cover((answer_size){.seed = 10, .models = 600, .runs = 5, .steps = 20000});
}
