/* SPDX-License-Identifier: MIT */
/* See seed_check.h. Takes at most three times SAMPLE_SEED_CHECK_STEPS steps. */
#include "sample/seed_check.h"

#include "base/hash.h"
#include "sample/step.h"

uint64_t sample_seed_check_seed(uint64_t seed, unsigned index)
{
    return env_episode_seed(seed, UINT64_MAX - index);
}

uint64_t sample_seed_check_mix(uint64_t digest, const opac_observation *seen)
{
    return base_hash_word(digest + env_observation_digest(seen));
}

static opac_status run_one(opac_environment *env, uint64_t seed, uint64_t *digest,
                           opac_error *error)
{
    opac_observation seen = {0};
    TRY(env_reset(env, seed, &seen, error));
    *digest = sample_seed_check_mix(0, &seen);
    for (uint32_t i = 0; i < SAMPLE_SEED_CHECK_STEPS && seen.actions > 0; i++) {
        TRY(env_step(env, i % seen.actions, &seen, error));
        *digest = sample_seed_check_mix(*digest, &seen);
    }
    return OPAC_OK;
}

opac_status sample_seed_check_run(opac_environment *const *envs, unsigned count, uint64_t seed,
                                  uint64_t *digest, bool *is_same, opac_error *error)
{
    uint64_t again = 0;
    TRY(run_one(envs[0], seed, digest, error));
    uint64_t forked = *digest;
    TRY(run_one(envs[0], seed, &again, error));
    if (count > 1)
        TRY(run_one(envs[1], seed, &forked, error));
    *is_same = again == *digest && forked == *digest;
    return OPAC_OK;
}
