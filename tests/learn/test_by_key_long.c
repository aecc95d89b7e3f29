/* SPDX-License-Identifier: MIT */
/* The same as test_by_key.c, more often and for longer. */
#include "learn/by_key_cases.h"

SUITE(by_key_long)
{
    return by_key_run((by_key_size){.seed = 82, .models = 60, .runs = 24, .steps = 3000});
}
