/* SPDX-License-Identifier: MIT */
/*
 * Checks whether the random numbers of a simulator are a function of the seed, by repeating an episode.
 * Nothing that is observed here is counted. An error of the simulator is returned.
 */
#ifndef SAMPLE_SEED_CHECK_H
#define SAMPLE_SEED_CHECK_H

#include "env/env.h"

enum {
    SAMPLE_SEED_CHECK_STEPS = 16
};

/* Adds an observation to the digest of an episode, which begins with 0. */
uint64_t sample_seed_check_mix(uint64_t digest, const opac_observation *seen);

/* The seed of an episode that is not part of the run. */
uint64_t sample_seed_check_seed(uint64_t seed, unsigned index);

/* Runs the episode twice in the first environment, and once in the second, if count > 1. *digest: that of
 * the first time; *is_same: whether all are the same. */
opac_status sample_seed_check_run(opac_environment *const *envs, unsigned count, uint64_t seed,
                                  uint64_t *digest, bool *is_same, opac_error *error);

#endif
