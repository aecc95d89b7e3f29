/* SPDX-License-Identifier: MIT */
/*
 * Whether draws of successors depend on their seed; see sample_trial_draws. A row is tried if its
 * visits in the trial led to two states, to each at least LEAST times. If it draws as it steps, the
 * same counts come twice with a probability of at most about 0.7, and MOST_DRAWS times in
 * succession with at most 1e-9; the first that differ end it, mostly the second.
 */

#include "base/hash.h"
#include "sample/statistics_form.h"
#include "sample/trial.h"

enum {
    MOST_ROWS = 8,
    MOST_DRAWS = 64,
    SUCCESSORS = 64, /* of a draw */
    LEAST = 8
};

/* Sums up what was drawn, in any order. */
static opac_status hear(void *context, const opac_observation *successor, uint64_t count,
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
    return base_fail(error, OPAC_ERROR_SIMULATOR,
                     "the simulator draws the same for all seeds: %d draws of %d successors of %s "
                     "have the same counts, though its episodes differ. Let it seed each draw with "
                     "the number that comes with it",
                     MOST_DRAWS, SUCCESSORS,
                     sample_statistics_show_row(stats, row, shown, sizeof shown));
}

static opac_status try_row(opac_environment *env, const sample_trial *t, uint32_t row,
                           const opac_observation *state, opac_error *error)
{
    const sample_statistics *stats = &t->seen;
    uint32_t action = row != stats->reset_row ? stats->rows.items[row].action : 0;
    uint64_t first = 0;
    for (uint64_t i = 0; i < MOST_DRAWS; i++) {
        uint64_t sum = 0, seed = env_episode_seed(env_episode_seed(t->seed, UINT64_MAX - i), row);
        TRY(env_draw(env, state, action, SUCCESSORS, seed, hear, &sum, error));
        if (i > 0 && sum != first)
            return OPAC_OK;
        first = sum;
    }
    return fail_alike(stats, row, error);
}

opac_status sample_trial_draws(opac_environment *env, const sample_trial *t, opac_error *error)
{
    const sample_statistics *stats = &t->seen;
    base_u64_vec room = {0}; /* for the key, so that it is aligned */
    opac_status status = OPAC_OK;
    uint32_t tried = 0;
    for (uint32_t row = 0; row < stats->rows.count && tried < MOST_ROWS; row++) {
        opac_observation state = {0};
        if (!is_random(stats, row))
            continue;
        if (row != stats->reset_row)
            TRY_OR(done, sample_statistics_get_observation(stats, stats->rows.items[row].state,
                                                           &room, &state, error));
        TRY_OR(done, try_row(env, t, row, &state, error));
        tried++;
    }
done:
    base_u64_vec_fini(&room);
    return status;
}
