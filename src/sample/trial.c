/* SPDX-License-Identifier: MIT */
/* See trial.h. */
#include "sample/trial.h"

#include "base/hash.h"
#include "sample/repeats.h"

static uint64_t seed_of(const sample_trial *t, uint64_t episode)
{
    return env_episode_seed(t->seed, UINT64_MAX / 2 - episode);
}

static uint32_t choose(const sample_trial *t, uint64_t sequence, uint64_t time, uint32_t actions)
{
    uint64_t mixed = base_hash_word(base_hash_word(t->seed + sequence) + time);
    return (uint32_t)((mixed >> 32) * actions >> 32);
}

/* Callback of env_trial. */
static bool must_halt(void *context)
{
    sample_trial *t = context;
    t->is_halted = t->is_halted || (t->halt != NULL && t->halt(t->context));
    return t->is_halted;
}

/* Callback of env_trial: counts an observation. */
static opac_status observe(void *context, uint32_t action, const opac_observation *seen,
                           opac_error *error)
{
    sample_trial *t = context;
    sample_statistics *stats = &t->seen;
    bool is_reset = action == ENV_TRIAL_RESET;
    uint32_t state, branch,
        row = is_reset ? stats->reset_row : sample_statistics_row(stats, t->state, action);
    TRY(sample_statistics_add_state(stats, seen, &state, error));
    if (is_reset)
        TRY(sample_statistics_begin_episode(stats, state, error));
    if (row != SAMPLE_NONE) {
        TRY(sample_statistics_branch(stats, row, state, &branch, error));
        TRY(sample_statistics_observe(stats, row, branch, 1, error));
    }
    t->state = state;
    return OPAC_OK;
}

static opac_status run_one(opac_environment *env, sample_trial *t, sample_repeats *repeats,
                           uint64_t episode, uint64_t *left, opac_error *error)
{
    opac_observation seen;
    uint64_t row = SAMPLE_REPEATS_RESET, before = 0;
    uint32_t action = ENV_TRIAL_RESET;
    unsigned stays = 0;
    /* An episode that may be cut is not tested as a whole: which ones are cut would depend on their length. */
    uint64_t policy = *left > SAMPLE_TRIAL_LENGTH + 1 ? 1 + episode % SAMPLE_TRIAL_WAYS : 0;
    TRY(env_reset(env, seed_of(t, episode), &seen, error));
    sample_repeats_begin(repeats);
    for (uint64_t time = 0;; time++) {
        uint64_t state = env_observation_digest(&seen);
        *left -= *left > 0;
        stays = time > 0 && state == before ? stays + 1 : 0;
        before = state;
        TRY(observe(t, action, &seen, error));
        TRY(sample_repeats_observe(repeats, row, state >> 2, error));
        if (must_halt(t) || *left == 0)
            return OPAC_OK;
        if (seen.actions == 0 || time == SAMPLE_TRIAL_LENGTH || stays == SAMPLE_TRIAL_STAYS)
            return sample_repeats_end(repeats, policy, seed_of(t, episode), error);
        action = choose(t, episode % SAMPLE_TRIAL_WAYS, time, seen.actions);
        row = base_hash_word(state + action) >> 2;
        TRY(env_step(env, action, &seen, error));
    }
}

/* Continues while there is evidence of dependence, since the test is valid whenever it ends. */
static opac_status run_repeats(opac_environment *env, sample_trial *t, uint64_t left,
                               opac_error *error)
{
    sample_repeats *repeats;
    uint64_t part, episode = 0;
    opac_status status = sample_repeats_new(SAMPLE_REPEATS_LEVEL / 2, &repeats, error);
    if (status == OPAC_OK && t->has_hidden_state)
        sample_repeats_allow_hidden_state(repeats);
    do {
        part = left < SAMPLE_TRIAL_STEPS ? left : SAMPLE_TRIAL_STEPS;
        left -= part;
        while (status == OPAC_OK && part > 0 && !t->is_halted)
            status = run_one(env, t, repeats, episode++, &part, error);
    } while (status == OPAC_OK && left > 0 && !t->is_halted &&
             sample_repeats_evidence(repeats) > 0);
    sample_repeats_free(repeats);
    if (status == OPAC_ERROR_CANCELLED) { /* the caller reports it */
        t->is_halted = true;
        return OPAC_OK;
    }
    return status;
}

opac_status sample_trial_run(opac_environment *env, sample_trial *t, opac_error *error)
{
    env_trial seeds = {.seed = t->seed,
                       .max_requests = t->steps > 0 ? t->steps : ENV_TRIAL_STEPS,
                       .halt = must_halt,
                       .on_answer = observe,
                       .context = t};
    const sample_statistics_options all = {.k = SAMPLE_NEVER_FULL};
    TRY(sample_statistics_init(&t->seen, env, t->automaton, &all, error));
    TRY(env_trial_run(env, &seeds, error));
    t->is_halted = seeds.is_halted;
    if (t->is_halted)
        return OPAC_OK;
    if (!seeds.differs)
        return env_trial_fail(&seeds, error);
    uint64_t left = seeds.max_requests > seeds.steps ? seeds.max_requests - seeds.steps : 0;
    return run_repeats(env, t, left, error);
}

void sample_trial_fini(sample_trial *t)
{
    sample_statistics_fini(&t->seen);
}
