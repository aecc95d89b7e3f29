/* SPDX-License-Identifier: MIT */
/* Frequency of wrong answers, in some hundred runs; test_answer_coverage_long.c has thousands. */
#include "learn/answer_cases.h"

SUITE(answer_coverage)
{
    return answer_cover((answer_size){.seed = 0, .models = 25, .runs = 10, .steps = 20000});
}
