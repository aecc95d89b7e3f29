/* SPDX-License-Identifier: MIT */
/* Coverage of brackets from T, in some hundred runs; test_horizon_coverage_long.c has thousands. */
#include "learn/horizon_coverage.h"

SUITE(horizon_coverage)
{
    return cover((horizon_size){.seed = 0, .models = 25, .runs = 2, .steps = 3000});
}
