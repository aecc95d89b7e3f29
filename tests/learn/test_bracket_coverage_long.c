/* SPDX-License-Identifier: MIT */
/* Coverage of brackets, in thousands of runs. */
#include "learn/bracket_coverage.h"

SUITE(bracket_coverage_long)
{
    return cover((coverage_size){.seed = 10, .models = 600, .runs = 5, .steps = 4000});
}
