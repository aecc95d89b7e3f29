/* SPDX-License-Identifier: MIT */
/* Some hundred kills of runs of each kind: see kill.h. */
#include "kill.h"

SUITE(kill_long)
{
    return run_kills(40);
}
