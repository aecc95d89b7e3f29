/* SPDX-License-Identifier: MIT */
/* The laws of the samplers, with enough runs to see small differences. */
#define SCALE 12
#include "learn/laws_cases.h"

int main(void)
{
    return run_laws();
}
