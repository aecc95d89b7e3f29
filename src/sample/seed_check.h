/* SPDX-License-Identifier: MIT */
/*
 * Whether what is random follows from the seed, as far as an episode tells that is run twice.
 * Nothing that is seen here counts. A simulator that fails here has failed.
 */
#ifndef SAMPLE_SEED_CHECK_H
#define SAMPLE_SEED_CHECK_H

#include "env/env.h"

enum {
    SAMPLE_SEED_CHECK_STEPS = 16
};

/* What was seen of an episode, as a number: 0 before it, and then this for each observation. */
uint64_t sample_seed_check_mix(uint64_t digest, const opac_observation *seen);

/* The seed of an episode that no run has. */
uint64_t sample_seed_check_seed(uint64_t seed, unsigned index);

/* Runs it in the first environment, again, and in the second, if there is one: the digest of the
 * first time, and whether the others were the same. */
opac_status sample_seed_check_run(opac_environment *const *envs, unsigned count, uint64_t seed,
                                  uint64_t *digest, bool *is_same, opac_error *error);

#endif
