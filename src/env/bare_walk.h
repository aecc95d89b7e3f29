/* SPDX-License-Identifier: MIT */
/*
 * A walk through tables and nothing else: a draw and three loads a step, each of which waits for the one
 * before. The graph is that of calibration.h, in which a walk is soon anywhere.
 */
#ifndef ENV_BARE_WALK_H
#define ENV_BARE_WALK_H

#include <stdint.h>

#include "base/error.h"

typedef struct env_bare env_bare;

opac_status env_bare_new(uint32_t states, uint32_t width, env_bare **bare, opac_error *error);
void env_bare_free(env_bare *bare);
/* The state in which a walk of so many steps ends. */
uint32_t env_bare_walk(const env_bare *bare, uint64_t seed, uint64_t steps);
/* The exclusive or of eight such states: the walks do not wait for each other. */
uint32_t env_bare_walk_eight(const env_bare *bare, uint64_t seed, uint64_t steps);

#endif
