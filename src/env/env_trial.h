/* SPDX-License-Identifier: MIT */
/*
 * A short trial of whether seeds matter: episodes in pairs, both with the same actions and different
 * seeds. The trial ends at the first pair that differs. If no pair differs, the system is
 * deterministic, or its episodes are copies of each other and say nothing about its probabilities.
 *
 * Cost: at most `most` requests, a reset being one of them.
 */
#ifndef ENV_TRIAL_H
#define ENV_TRIAL_H

#include "env/env.h"

enum {
    ENV_TRIAL_STEPS = 4096 /* requests of a trial, unless told otherwise */
};

#define ENV_TRIAL_RESET UINT32_MAX /* in place of an action */

typedef struct env_trial {
    uint64_t seed; /* of the seeds and actions */
    uint64_t max_requests;
    /* Whether to stop, asked before each request; may be NULL. */
    bool (*halt)(void *context);
    /* Told what an action, or ENV_TRIAL_RESET, has led to; may be NULL. Its error ends the trial. */
    opac_status (*on_answer)(void *context, uint32_t action, const opac_observation *seen,
                             opac_error *error);
    void *context;
    /* ---- outcome ---- */
    uint64_t episodes, steps; /* that were run */
    uint64_t compared;        /* pairs of episodes */
    bool differs;             /* two episodes of a pair did */
    bool is_halted;           /* nothing follows from it */
} env_trial;

/* An error is the simulator's. The episode under way is lost. */
opac_status env_trial_run(opac_environment *env, env_trial *trial, opac_error *error);

/* The error of a simulator that answers all seeds alike, or, if no pair was compared, of a trial that
 * is too short; only of a trial in which nothing differed. */
opac_status env_trial_fail(const env_trial *trial, opac_error *error);

/* Digest of an observation. */
uint64_t env_observation_digest(const opac_observation *seen);

#endif
