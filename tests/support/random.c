/* SPDX-License-Identifier: MIT */
#include "support/random.h"

#include <stdlib.h>

uint64_t random_seed(uint64_t own)
{
    const char *soak = getenv("OMEGAPAC_SOAK");
    if (soak == NULL)
        return own;
    uint64_t state = strtoull(soak, NULL, 10) * UINT64_C(0x9E3779B97F4A7C15) ^ own;
    return random_u64(&state);
}
