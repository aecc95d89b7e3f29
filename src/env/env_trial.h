/* SPDX-License-Identifier: MIT */
/*
 * The trial that tests whether a simulator uses its seeds. It runs episodes in pairs: both have the same
 * actions and different seeds. The trial ends at the first pair that differs. If no pair differs, either
 * the system is deterministic, or its episodes are copies of each other, which contain no information
 * about its probabilities.
 *
 * Cost: at most `max_requests` requests, each a reset or a step.
 */
#ifndef ENV_TRIAL_H
#define ENV_TRIAL_H

#include "env/env.h"

enum {
    ENV_TRIAL_STEPS = 4096 /* default of max_requests */
};

#define ENV_TRIAL_RESET UINT32_MAX /* passed to on_answer in place of an action */

typedef struct env_trial {
    uint64_t seed; /* determines the seeds and the actions */
    uint64_t max_requests;
    /* Polled before each request; true stops the trial. NULL disables it. */
    bool (*halt)(void *context);
    /* Called with the answer to each request; may be NULL. Its error ends the trial. */
    opac_status (*on_answer)(void *context, uint32_t action, const opac_observation *seen,
                             opac_error *error);
    void *context;
    /* ---- outcome ---- */
    uint64_t episodes, steps; /* run so far; resets count as steps */
    uint64_t compared;        /* pairs of episodes */
    bool differs;             /* the two episodes of a pair differ */
    bool is_halted;           /* stopped early: the outcome is inconclusive */
} env_trial;

/* Fails only if the simulator or on_answer does. Abandons the episode that is in progress. */
opac_status env_trial_run(opac_environment *env, env_trial *trial, opac_error *error);

/* Sets the error for a trial in which no pair differed: the simulator ignores its seeds or, if no pair
 * was compared, the trial was too short. */
opac_status env_trial_fail(const env_trial *trial, opac_error *error);

/* A hash of the key, the letter and the number of actions. */
uint64_t env_observation_digest(const opac_observation *seen);

#endif
