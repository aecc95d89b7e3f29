/* SPDX-License-Identifier: MIT */
/* Brackets and saved policies of simulators: see by_key_cases.h. */
#include "learn/by_key_cases.h"

SUITE(by_key)
{
    return by_key_run((by_key_size){.seed = 81, .models = 12, .runs = 6, .steps = 1000});
}
