/* SPDX-License-Identifier: MIT */
/*
 * Checks that draws of successors depend on their seed; see sample_trial_draws. A row is tested if its visits
 * in the trial led to two states, at least LEAST times to each. If draws have the distribution of steps, two
 * draws have the same counts with probability at most about 0.7, and MOST_DRAWS of them with at most 1e-9.
 * The test of a row ends with the first draw that differs, usually the second.
 */

#include "base/hash.h"
#include "sample/statistics_form.h"
#include "sample/trial.h"

enum {
    MOST_ROWS = 8,
    MOST_DRAWS = 64,
    SUCCESSORS = 64, /* number of successors in a draw */
    LEAST = 8
};

/* Callback of env_draw: a digest of the successors and counts that does not depend on their order. */
static opac_status add_to_digest(void *context, const opac_observation *successor, uint64_t count,
                                 opac_error *error)
{
    uint64_t *sum = context;
    (void)error;
    *sum += base_hash_word(env_observation_digest(successor) + base_hash_word(count));
    return OPAC_OK;
}

static bool is_random(const sample_statistics *stats, uint32_t row)
{
    uint32_t often = 0;
    for (uint32_t b = 0; b < stats->rows.items[row].width; b++)
        often += sample_statistics_observed(stats, row, b) >= LEAST;
    return often >= 2;
}

static opac_status fail_alike(const sample_statistics *stats, uint32_t row, opac_error *error)
{
    char shown[SAMPLE_ROW_SHOWN];
    return base_fail(
        error, OPAC_ERROR_SIMULATOR,
        "the simulator's draws do not depend on the seed: %d draws of %d successors of "
        "%s have the same counts, though its episodes differ; seed each draw with the "
        "number that is passed with the request",
        MOST_DRAWS, SUCCESSORS, sample_statistics_show_row(stats, row, shown, sizeof shown));
}

static opac_status test_row(opac_environment *env, const sample_trial *t, uint32_t row,
                            const opac_observation *state, opac_error *error)
{
    const sample_statistics *stats = &t->seen;
    uint32_t action = row != stats->reset_row ? stats->rows.items[row].action : 0;
    uint64_t first = 0;
    for (uint64_t i = 0; i < MOST_DRAWS; i++) {
        uint64_t sum = 0, seed = env_episode_seed(env_episode_seed(t->seed, UINT64_MAX - i), row);
        TRY(env_draw(env, state, action, SUCCESSORS, seed, add_to_digest, &sum, error));
        if (i > 0 && sum != first)
            return OPAC_OK;
        first = sum;
    }
    return fail_alike(stats, row, error);
}

opac_status sample_trial_draws(opac_environment *env, const sample_trial *t, opac_error *error)
{
    const sample_statistics *stats = &t->seen;
    base_u64_vec key_buffer = {0}; /* an aligned copy of the key */
    opac_status status = OPAC_OK;
    uint32_t tried = 0;
    for (uint32_t row = 0; row < stats->rows.count && tried < MOST_ROWS; row++) {
        opac_observation state = {0};
        if (!is_random(stats, row))
            continue;
        if (row != stats->reset_row)
            TRY_OR(done, sample_statistics_get_observation(stats, stats->rows.items[row].state,
                                                           &key_buffer, &state, error));
        TRY_OR(done, test_row(env, t, row, &state, error));
        tried++;
    }
done:
    base_u64_vec_fini(&key_buffer);
    return status;
}
