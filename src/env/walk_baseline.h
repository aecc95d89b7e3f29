/* SPDX-License-Identifier: MIT */
/*
 * The random walks measured by opac_walk_rate, which is an upper bound on the speed of a sampler. A step
 * draws one random number and makes three loads, each of which depends on the one before. The graph is that
 * of calibration.h: every state is reached after few steps.
 */
#ifndef ENV_WALK_BASELINE_H
#define ENV_WALK_BASELINE_H

#include <stdint.h>

#include "base/error.h"

typedef struct env_baseline env_baseline;

opac_status env_baseline_new(uint32_t states, uint32_t width, env_baseline **baseline,
                             opac_error *error);
void env_baseline_free(env_baseline *baseline);
/* The last state of a walk of that many steps. */
uint32_t env_baseline_walk(const env_baseline *baseline, uint64_t seed, uint64_t steps);
/* The exclusive or of the last states of eight walks, which do not depend on each other. */
uint32_t env_baseline_walk_eight(const env_baseline *baseline, uint64_t seed, uint64_t steps);

#endif
