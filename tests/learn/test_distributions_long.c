/* SPDX-License-Identifier: MIT */
/* The laws of the samplers, with enough runs to see small differences. */
#define SCALE 12
#include "learn/distributions_cases.h"

SUITE(distributions_long)
{
    return run_laws();
}
