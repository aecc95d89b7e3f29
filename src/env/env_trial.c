/* SPDX-License-Identifier: MIT */
/*
 * The trial of env_trial.h. Pairs of episodes have 2, 4, 2, 8, 2, 4, 2, 16, 2 … steps, at most 512, or an
 * eighth of the steps of a longer trial, so that each length gets about the same share of all steps. Short
 * episodes try many actions near the initial state; long ones reach events that happen late. An episode also
 * ends if it has stayed in the same state for 8 steps.
 */
#include "env/env_trial.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

enum {
    SHORTEST = 2, /* steps of an episode */
    LONGEST = 512,
    LONGEST_EVER = 1 << 20, /* limit for long trials, since digests of an episode are stored */
    PART = 8,               /* an episode has at most this fraction of a long trial */
    MAX_STAYS = 8           /* consecutive steps without a change of state */
};

/* A pair of episodes with the same actions. */
typedef struct episode_pair {
    uint64_t number;
    uint64_t longest; /* largest number of steps of an episode */
    uint64_t at;      /* steps so far */
    uint32_t actions; /* number of actions in the current state */
    uint64_t state;   /* env_observation_digest of the current state */
    uint32_t stays;   /* steps since the state last changed */
} episode_pair;

uint64_t env_observation_digest(const opac_observation *seen)
{
    uint64_t hash = base_hash_bytes(seen->key, seen->length);
    hash = base_hash_word(hash ^ base_hash_word(seen->letter + 1));
    return base_hash_word(hash ^ base_hash_word(((uint64_t)seen->actions << 32) + 2));
}

static uint64_t find_longest(uint64_t most)
{
    most = most / PART;
    return most < LONGEST ? LONGEST : most < LONGEST_EVER ? most : LONGEST_EVER;
}

static uint64_t length_of(const episode_pair *c)
{
    uint64_t length = SHORTEST;
    for (uint64_t number = c->number + 1; number % 2 == 0 && length < c->longest; number /= 2)
        length *= 2;
    return length < c->longest ? length : c->longest;
}

/* The episodes of a run count from 0, so none of them has this seed. */
static uint64_t seed_of(const env_trial *trial, uint64_t number, unsigned which)
{
    return env_episode_seed(trial->seed, UINT64_MAX - 1024 - 2 * number - which);
}

static uint32_t choose(const env_trial *trial, const episode_pair *c)
{
    uint64_t mixed = base_hash_word(base_hash_word(trial->seed ^ c->number << 32) + c->at);
    return (uint32_t)((mixed >> 32) * c->actions >> 32);
}

/* Stores the current state; returns whether the episode goes on. */
static bool add_state(episode_pair *c, const opac_observation *seen)
{
    uint64_t state = env_observation_digest(seen);
    c->stays = c->at > 0 && state == c->state ? c->stays + 1 : 0;
    c->state = state;
    c->actions = seen->actions;
    return seen->actions > 0 && c->stays < MAX_STAYS && c->at < length_of(c);
}

static bool may_continue(env_trial *trial)
{
    if (trial->halt != NULL && trial->halt(trial->context))
        trial->is_halted = true;
    return !trial->is_halted && trial->steps < trial->max_requests;
}

static opac_status report_answer(const env_trial *trial, uint32_t action,
                                 const opac_observation *seen, opac_error *error)
{
    return trial->on_answer != NULL ? trial->on_answer(trial->context, action, seen, error)
                                    : OPAC_OK;
}

/* Runs one episode of the pair, and stores the digests of its observations. */
static opac_status run_one(opac_environment *env, env_trial *trial, episode_pair *c, unsigned which,
                           uint64_t *digests, size_t *count, opac_error *error)
{
    opac_observation seen;
    uint32_t action = ENV_TRIAL_RESET;
    *count = 0;
    trial->episodes++;
    TRY(env_reset(env, seed_of(trial, c->number, which), &seen, error));
    for (c->at = 0;; c->at++) {
        trial->steps++;
        TRY(report_answer(trial, action, &seen, error));
        bool is_over = !add_state(c, &seen);
        digests[(*count)++] = c->state;
        if (is_over || !may_continue(trial))
            return OPAC_OK;
        action = choose(trial, c);
        TRY(env_step(env, action, &seen, error));
    }
}

/* Runs both episodes and compares them up to the end of the shorter one. */
static opac_status run_pair(opac_environment *env, env_trial *trial, episode_pair *c,
                            uint64_t *digests, opac_error *error)
{
    size_t first, second;
    uint64_t *others = digests + c->longest + 1;
    opac_status status = run_one(env, trial, c, 0, digests, &first, error);
    if (status == OPAC_OK && may_continue(trial))
        status = run_one(env, trial, c, 1, others, &second, error);
    else
        second = 0;
    size_t both = first < second ? first : second;
    trial->compared += both > 0;
    if (status == OPAC_OK)
        trial->differs = memcmp(digests, others, both * sizeof *digests) != 0;
    return status;
}

opac_status env_trial_run(opac_environment *env, env_trial *trial, opac_error *error)
{
    uint64_t longest = find_longest(trial->max_requests);
    uint64_t *digests = base_alloc(2 * (longest + 1), sizeof *digests);
    opac_status status = digests != NULL ? OPAC_OK : base_fail_memory(error);
    for (episode_pair c = {.longest = longest};
         status == OPAC_OK && !trial->differs && may_continue(trial); c.number++)
        status = run_pair(env, trial, &c, digests, error);
    base_free(digests);
    if (status == OPAC_ERROR_CANCELLED) { /* the caller reports it */
        trial->is_halted = true;
        return OPAC_OK;
    }
    return status;
}

opac_status env_trial_fail(const env_trial *trial, opac_error *error)
{
    if (trial->compared == 0)
        return base_fail_parameter(error, OPAC_ERROR_ARGUMENT, "trial_steps",
                                   "a trial of %llu steps is too short to compare two episodes",
                                   (unsigned long long)trial->max_requests);
    return base_fail_parameter(
        error, OPAC_ERROR_SIMULATOR, "trial_steps deterministic",
        "the simulator ignores its seeds: in %llu episodes (%llu steps), those with the same "
        "actions and different seeds were equal, and copies of one episode contain no information "
        "about probabilities; if the system is random, seed its random number generator with the "
        "number of each reset; if random events are rare, make the trial longer; if it is "
        "deterministic, declare it",
        (unsigned long long)trial->episodes, (unsigned long long)(trial->steps));
}
