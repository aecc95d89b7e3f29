/* SPDX-License-Identifier: MIT */
#include "support/random.h"

#include <stdlib.h>
#include <string.h>

uint64_t random_seed(uint64_t own)
{
    const char *soak = getenv("OMEGAPAC_SOAK");
    if (soak == NULL)
        return own;
    uint64_t state = strtoull(soak, NULL, 10) * UINT64_C(0x9E3779B97F4A7C15) ^ own;
    return random_u64(&state);
}

uint32_t random_rounds(uint32_t few, uint32_t all)
{
    const char *rounds = getenv("OMEGAPAC_ROUNDS");
    return rounds != NULL && strcmp(rounds, "all") == 0 ? all : few;
}
