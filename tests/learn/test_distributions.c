/* SPDX-License-Identifier: MIT */
/* The distributions of the samplers, in a second or two. */
#define SCALE 1
#include "learn/distributions_cases.h"

SUITE(distributions)
{
    return run_laws();
}
