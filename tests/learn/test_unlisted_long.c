/* SPDX-License-Identifier: MIT */
/* The same as test_unlisted.c with more runs. */
#include "learn/unlisted_cases.h"

SUITE(unlisted_long)
{
    return unlisted_run((unlisted_size){.seed = 10000, .runs = 50, .delta = 0.5, .is_long = true});
}
