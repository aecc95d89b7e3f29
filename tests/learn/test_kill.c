/* SPDX-License-Identifier: MIT */
/* A few kills of runs of each kind: see kill.h. */
#include "kill.h"

SUITE(kill)
{
    return run_kills(4);
}
