/* SPDX-License-Identifier: MIT */
/*
 * See env_trial.h. Pairs of episodes have 2, 4, 2, 8, 2, 4, 2, 16, 2 … steps, at most 512, or an eighth
 * of those of a longer trial: each length has about the same share of all steps. Short ones try many
 * actions near the start, long ones come to what happens late. An episode that has stayed in a state
 * for some steps ends.
 */
#include "env/env_trial.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

enum {
    SHORTEST = 2, /* steps of an episode */
    LONGEST = 512,
    LONGEST_EVER = 1 << 20, /* digests are kept of so many */
    PART = 8,               /* of a long trial, that an episode may have */
    MOST_STAYS = 8          /* steps that led nowhere, one after the other */
};

/* Two episodes with the same actions. */
typedef struct couple {
    uint64_t number;
    uint64_t longest; /* steps of an episode */
    uint64_t at;      /* steps so far */
    uint32_t actions; /* of the state that both are in, */
    uint64_t state;   /* env_observation_digest of it, */
    uint32_t stays;   /* and how long they have been there */
} couple;

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

static uint64_t length_of(const couple *c)
{
    uint64_t length = SHORTEST;
    for (uint64_t number = c->number + 1; number % 2 == 0 && length < c->longest; number /= 2)
        length *= 2;
    return length < c->longest ? length : c->longest;
}

/* No episode of a run has this seed: those count from 0. */
static uint64_t seed_of(const env_trial *trial, uint64_t number, unsigned which)
{
    return env_episode_seed(trial->seed, UINT64_MAX - 1024 - 2 * number - which);
}

static uint32_t choose(const env_trial *trial, const couple *c)
{
    uint64_t mixed = base_hash_word(base_hash_word(trial->seed ^ c->number << 32) + c->at);
    return (uint32_t)((mixed >> 32) * c->actions >> 32);
}

/* Both have come to a state; whether they go on from there. */
static bool goes_on(couple *c, const opac_observation *seen)
{
    uint64_t state = env_observation_digest(seen);
    c->stays = c->at > 0 && state == c->state ? c->stays + 1 : 0;
    c->state = state;
    c->actions = seen->actions;
    return seen->actions > 0 && c->stays < MOST_STAYS && c->at < length_of(c);
}

static bool may_go_on(env_trial *trial)
{
    if (trial->halt != NULL && trial->halt(trial->context))
        trial->is_halted = true;
    return !trial->is_halted && trial->steps < trial->max_requests;
}

static opac_status note(const env_trial *trial, uint32_t action, const opac_observation *seen,
                        opac_error *error)
{
    return trial->on_answer != NULL ? trial->on_answer(trial->context, action, seen, error)
                                    : OPAC_OK;
}

/* An episode of the couple; digests of what was seen, and how many there are. */
static opac_status run_one(opac_environment *env, env_trial *trial, couple *c, unsigned which,
                           uint64_t *digests, size_t *count, opac_error *error)
{
    opac_observation seen;
    uint32_t action = ENV_TRIAL_RESET;
    *count = 0;
    trial->episodes++;
    TRY(env_reset(env, seed_of(trial, c->number, which), &seen, error));
    for (c->at = 0;; c->at++) {
        trial->steps++;
        TRY(note(trial, action, &seen, error));
        bool is_over = !goes_on(c, &seen);
        digests[(*count)++] = c->state;
        if (is_over || !may_go_on(trial))
            return OPAC_OK;
        action = choose(trial, c);
        TRY(env_step(env, action, &seen, error));
    }
}

/* Compares two episodes up to the end of the shorter one. */
static opac_status run_couple(opac_environment *env, env_trial *trial, couple *c, uint64_t *digests,
                              opac_error *error)
{
    size_t first, second;
    uint64_t *others = digests + c->longest + 1;
    opac_status status = run_one(env, trial, c, 0, digests, &first, error);
    if (status == OPAC_OK && may_go_on(trial))
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
    for (couple c = {.longest = longest}; status == OPAC_OK && !trial->differs && may_go_on(trial);
         c.number++)
        status = run_couple(env, trial, &c, digests, error);
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
        "the simulator answers all seeds alike: in %llu episodes (%llu steps), those with the same "
        "actions and different seeds were the same, and copies of one episode tell nothing about "
        "probabilities. If something in it is random, let it seed that with the number of each "
        "reset; "
        "if random events are rare, make the trial longer; if the system is deterministic, declare "
        "it",
        (unsigned long long)trial->episodes, (unsigned long long)(trial->steps));
}
