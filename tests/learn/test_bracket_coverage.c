/* SPDX-License-Identifier: MIT */
/* Coverage of brackets, in some hundred runs; test_bracket_coverage_long.c has thousands. */
#include "learn/bracket_coverage.h"

SUITE(bracket_coverage)
{
    return cover((coverage_size){.seed = 0, .models = 25, .runs = 2, .steps = 2000});
}
