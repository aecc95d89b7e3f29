/* SPDX-License-Identifier: MIT */
/*
 * One run of a learner, as its samplers see it.
 *
 *     until done:  the strategy's policy ─► sampler: episodes ─► the strategy …
 *
 * A sampler (step.c, population.c) is one function: it samples episodes under the strategy's policy
 * and adds what it saw to the world, in the order of episodes. It returns behind an episode in which a
 * counter became full (all after that episode are as if they had never been), after `limit` episodes, or
 * when `halt` says so, a declared bound has turned out wrong, or the budget is used up.
 *
 * What a run does is a function of the seed, whatever the number of threads and
 * wherever it was interrupted: episode i has a random stream of its own, and what
 * a sampler keeps from one call to the next is either a mere cache or saved in the
 * checkpoint.
 */
#ifndef SAMPLE_RUN_H
#define SAMPLE_RUN_H

#include <omegapac/learning.h>

#include "base/memory.h"
#include "base/pool.h"
#include "graph/process.h"
#include "sample/statistics.h"

/*
 * A round: episodes whose number is fixed before the first of them, and all of which count. What an
 * episode of it does is a function of what was known before the round, of its number, and of what
 * it has met itself. So the episodes of a round may be run at the same time, and in any order, and
 * their observations are counted in the order of episodes.
 */
typedef struct sample_round {
    uint64_t number;
    uint64_t first;    /* its first episode */
    uint64_t episodes; /* how many it has */
    uint64_t steps;    /* that had been taken before it */
    uint64_t
        turns; /* above 0: choices of a pair that are not known take turns (sample_turn_choice), up
                          to so many each; 0: the policy decides */
    uint64_t turn_choices; /* at most so many choices of a pair do */
    uint64_t
        idle_episodes; /* of such rounds, lately: episodes that were cut, and sampled no row that
                             is not complete */
} sample_round;
enum {
    SAMPLE_ROUND_WORDS = sizeof(sample_round) / sizeof(uint64_t)
};

typedef struct sample_run {
    sample_statistics stats;
    const struct sample_strategy *strategy;
    void *own;          /* the strategy's */
    sample_round round; /* of strategies that sample in rounds; else zeros */
    uint64_t seed;
    uint64_t horizon;       /* T; or how long the episodes of a round are at most */
    uint64_t episodes;      /* done so far: the next one has this number */
    uint64_t steps;         /* transitions of them, free ones included, up to the end of a run
                           in a place that it cannot leave */
    uint64_t max_steps;     /* an episode begins only if T more steps fit; 0: no bound */
    uint64_t policies;      /* so far */
    uint64_t updates;       /* of the policy, also those after which the policy is the same: by
                                 this samplers know whether a map of the policy is of the present one */
    uint64_t limit;         /* an advance returns once there were so many episodes, if it can do so
                                 without a difference for the outcome; UINT64_MAX: none */
    uint64_t watch_begin;   /* of the livelock detector: the episode at which it last saw a new
                           observation, */
    uint64_t watch_samples; /* and how many there were then (omega_pac/omega_pac.c) */
    base_pool *pool;        /* NULL: this thread alone */
    opac_environment **forks; /* by worker, forks[0] is world.env; count: pool threads or 1 */
    bool sequential;          /* the step sampler runs one episode after the other: for tests, and
                                 where what is random does not follow from the seed */
    const opac_cancel *cancel;
    /* Whether to stop at the next opportunity: cancelled, time is up, or a checkpoint is due.
     * Asked at least every tenth of a second. */
    bool (*halt)(void *context);
    void *halt_context;
    double deadline;  /* by opac_clock_seconds: time is up then; 0: never */
    base_meter meter; /* of memory; without a limit for environments with tables */
    /* An episode was broken off when a part of it was counted: what there is will do for a
     * result, but not to go on from. */
    bool has_partial_episode;
    /* An episode was dropped for what it saw, by the test of draws (repeats.h): nothing may go on
     * from here. */
    bool independence_refuted;
    opac_progress *progress;
} sample_run;

/* The strategy's policy and what goes with it; see strategy.h. */
uint32_t sample_run_choice(const sample_run *run, uint32_t product_state);
uint32_t sample_run_choice_of_new(const sample_run *run, const sample_statistics *stats,
                                  uint32_t product_state);
bool sample_run_changes(const sample_run *run, const uint32_t **product_states, size_t *count);
bool sample_run_ends_at(const sample_run *run, uint32_t product_state);
/* The lowest choice of a pair that is not known, or its first: a choice_of_new. */
uint32_t sample_first_unknown(const sample_run *run, const sample_statistics *stats,
                              uint32_t product_state);
/*
 * Of a round that takes turns: the choice of a turn among those of the pair that are not known, from
 * `chosen` on. Few of them take turns one by one; of more than a few, each has all of its turns before
 * the next one has.
 */
uint32_t sample_turn_choice(const sample_round *round, const sample_statistics *stats,
                            uint32_t product_state, uint32_t chosen, uint64_t turn);

/*
 * The chain of learned frequencies under the policy: its part that is reached from the start. Pairs
 * with an unknown choice have none. Owned by the strategy until its next call.
 */
typedef struct sample_chain {
    graph_process process;          /* one choice a state, or none; state 0 is the start */
    const uint32_t *product_states; /* by state: the pair in the world */
    const uint32_t *choice;         /* by state: the choice in the world */
} sample_chain;
opac_status sample_run_chain(const sample_run *run, sample_chain *chain, opac_error *error);

typedef struct sample_step sample_step;
opac_status sample_step_new(sample_run *run, sample_step **sampler, opac_error *error);
void sample_step_free(sample_step *sampler);
opac_status sample_step_advance(sample_step *sampler, opac_error *error);
/*
 * Whether some episodes go the same way when they are run again, here and on forks and lanes.
 */
opac_status sample_step_check_seeds(sample_step *sampler, bool *is_same, opac_error *error);

typedef struct sample_population sample_population;
opac_status sample_population_new(sample_run *run, sample_population **sampler, opac_error *error);
void sample_population_free(sample_population *sampler);
opac_status sample_population_advance(sample_population *sampler, opac_error *error);
/*
 * What a batch keeps is at most so many numbers, one an edge of the policy's pairs and step, 20 bytes
 * each. Where T times the edges are more, batches have at most so many transitions, and
 * the sampler has nothing left of its speed.
 */
#define SAMPLE_POPULATION_FLOWS 33554432.0

/*
 * Whether an episode that has come to a pair is over: under the policy, free choices lead round and
 * round, and the environment is never asked again. It then counts no further
 * steps. Both samplers go by this.
 */
bool sample_run_is_absorbed(const sample_run *run, uint32_t product_state);

bool sample_run_is_late(const sample_run *run);
/*
 * Whether the episode under way is to be broken off, however long it has been:
 * a stop was requested, or the limit on time or on memory is reached. Asked every SAMPLE_SLICE steps or more often.
 */
bool sample_run_must_stop(sample_run *run);
#define SAMPLE_SLICE 65536
/* Episodes of more steps are never part of a walk, which nothing can break off. */
#define SAMPLE_LONG_EPISODE ((uint64_t)1 << 24)

#endif
