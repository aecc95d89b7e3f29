/* SPDX-License-Identifier: MIT */
/* L is a bound on the policy that users get, also where it lists nothing: see unlisted_cases.h. */
#include "learn/unlisted_cases.h"

SUITE(unlisted)
{
    return unlisted_run((unlisted_size){.seed = 0, .runs = 8, .delta = 0.1});
}
