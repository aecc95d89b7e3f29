/* SPDX-License-Identifier: MIT */
/*
 * The trial of a simulator before anything is sampled: whether different seeds give different episodes
 * (env/env_trial.h), and whether there are more than a few different episodes: some episodes with the same
 * actions are run and passed to the test of independence (repeats.h).
 *
 * The observations are kept in separate statistics and are not counted as samples. They must not contradict
 * each other (a state with two letters, two starts without a random reset) nor the declared bounds.
 *
 * Cost: a few steps for the first part if seeds soon make a difference, and about SAMPLE_TRIAL_STEPS for the
 * second, more while there is evidence of dependence. Together at most `steps`.
 */
#ifndef SAMPLE_TRIAL_H
#define SAMPLE_TRIAL_H

#include "env/env_trial.h"
#include "sample/statistics.h"

enum {
    SAMPLE_TRIAL_STEPS = 512,
    SAMPLE_TRIAL_LENGTH = 16, /* maximal length of an episode */
    SAMPLE_TRIAL_STAYS = 3,   /* an episode ends after so many steps that stay in a state */
    SAMPLE_TRIAL_WAYS = 5     /* number of different sequences of actions, used in turn */
};

typedef struct sample_trial {
    uint64_t seed;
    uint64_t steps;                  /* at most; 0: ENV_TRIAL_STEPS */
    const opac_automaton *automaton; /* the environment is bound to its propositions */
    bool has_hidden_state;           /* see repeats.h */
    bool (*halt)(void *context);
    void *context;
    /* ---- outcome ---- */
    bool is_halted;         /* it was interrupted, and has no result */
    sample_statistics seen; /* all observations, counted by row; released by sample_trial_fini */
    uint32_t state;         /* the current state, in these statistics */
} sample_trial;

/* OPAC_ERROR_SIMULATOR: the episodes are not independent, or the simulator fails or contradicts itself.
 * OPAC_ERROR_ARGUMENT: too few steps to compare anything. */
opac_status sample_trial_run(opac_environment *env, sample_trial *trial, opac_error *error);
/* For environments that can draw successors: draws of actions that were random in the trial must differ for
 * different seeds. */
opac_status sample_trial_draws(opac_environment *env, const sample_trial *trial, opac_error *error);
void sample_trial_fini(sample_trial *trial);

#endif
