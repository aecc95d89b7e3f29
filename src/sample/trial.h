/* SPDX-License-Identifier: MIT */
/*
 * The trial before anything is sampled in an environment that is not a model: whether seeds make a
 * difference (env/env_trial.h), and whether there are more than a few different episodes: some are run
 * with the same actions, and told to the test of repeats (repeats.h).
 *
 * What is seen is kept in a world of its own, and is not counted as samples. It must not contradict
 * itself (a state with two letters, two starts where there is one), nor what was declared.
 *
 * Cost: a few steps for the first, where seeds make a difference soon, and at most SAMPLE_TRIAL_STEPS for
 * the second. Together at most `steps`.
 */
#ifndef SAMPLE_TRIAL_H
#define SAMPLE_TRIAL_H

#include "env/env_trial.h"
#include "sample/statistics.h"

enum {
    SAMPLE_TRIAL_STEPS = 512,
    SAMPLE_TRIAL_LENGTH = 16, /* of an episode, at most */
    SAMPLE_TRIAL_STAYS = 3,   /* steps that led nowhere, one after the other: it ends */
    SAMPLE_TRIAL_WAYS = 5     /* sequences of actions that these episodes take in turn */
};

typedef struct sample_trial {
    uint64_t seed;
    uint64_t steps;                  /* at most; 0: ENV_TRIAL_STEPS */
    const opac_automaton *automaton; /* whose propositions the environment is bound to */
    bool (*halt)(void *context);
    void *context;
    /* ---- outcome ---- */
    bool is_halted;         /* nothing follows from it */
    sample_statistics seen; /* everything that was, counted by row; for sample_trial_fini */
    uint32_t state;         /* the last one, in that world */
} sample_trial;

/* OPAC_ERROR_SIMULATOR: its episodes are not independent, or it has failed or contradicts itself.
 * OPAC_ERROR_ARGUMENT: there are too few steps to compare anything. */
opac_status sample_trial_run(opac_environment *env, sample_trial *trial, opac_error *error);
/* The same of draws, where the environment can draw: of actions that were random in the trial, draws
 * of different seeds must differ. */
opac_status sample_trial_draws(opac_environment *env, const sample_trial *trial, opac_error *error);
void sample_trial_fini(sample_trial *trial);

#endif
