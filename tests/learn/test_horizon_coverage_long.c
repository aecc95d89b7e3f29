/* SPDX-License-Identifier: MIT */
/* Coverage of brackets from T, in thousands of runs. */
#include "learn/horizon_coverage.h"

SUITE(horizon_coverage_long)
{
    return cover((horizon_size){.seed = 10, .models = 150, .runs = 5, .steps = 20000});
}
