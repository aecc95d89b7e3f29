/* SPDX-License-Identifier: MIT */
/* The distributions of the samplers, with enough runs to detect small differences. */
#define SCALE 12
#include "learn/distributions_cases.h"

SUITE(distributions_long)
{
    return run_laws();
}
