/* SPDX-License-Identifier: MIT */
/* The laws of the samplers, in a second or two. */
#define SCALE 1
#include "learn/laws_cases.h"

SUITE(laws)
{
    return run_laws();
}
