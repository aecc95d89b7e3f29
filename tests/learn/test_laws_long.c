/* SPDX-License-Identifier: MIT */
/* The laws of the samplers, with enough runs to see small differences. */
#define SCALE 12
#include "learn/laws_cases.h"

SUITE(laws_long)
{
    return run_laws();
}
