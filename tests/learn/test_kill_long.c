/* SPDX-License-Identifier: MIT */
/* Some hundred kills of runs of each kind: see kill.h. */
#include "kill.h"

int main(void)
{
    return run_kills(40);
}
