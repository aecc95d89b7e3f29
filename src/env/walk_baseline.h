/* SPDX-License-Identifier: MIT */
/*
 * A walk through tables and nothing else: a draw and three loads a step, each of which waits for the one
 * before. The graph is that of calibration.h, in which a walk is soon anywhere.
 */
#ifndef ENV_WALK_BASELINE_H
#define ENV_WALK_BASELINE_H

#include <stdint.h>

#include "base/error.h"

typedef struct env_baseline env_baseline;

opac_status env_baseline_new(uint32_t states, uint32_t width, env_baseline **bare,
                             opac_error *error);
void env_baseline_free(env_baseline *bare);
/* The state in which a walk of so many steps ends. */
uint32_t env_baseline_walk(const env_baseline *bare, uint64_t seed, uint64_t steps);
/* The exclusive or of eight such states: the walks do not wait for each other. */
uint32_t env_baseline_walk_eight(const env_baseline *bare, uint64_t seed, uint64_t steps);

#endif
