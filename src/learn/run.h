/* SPDX-License-Identifier: MIT */
/*
 * One run of ω-PAC: the loop of theory.md, section 4.
 *
 *     until done:  policy ─► sampler: episodes, until some counter is full ─► refresh ─► policy …
 *
 * A sampler (step.c, population.c) is one function: it samples episodes under
 * the optimist's policy and adds what it saw to the world, in the order of
 * episodes. It returns behind an episode in which a counter became full (all
 * after that episode are as if they had never been), or when `halt` says so,
 * or a declared bound has turned out wrong, or the budget is used up. It takes part in nothing else.
 *
 * What a run does is a function of the seed, whatever the number of threads and
 * wherever it was interrupted: episode i has a random stream of its own, and what
 * a sampler keeps from one call to the next is either a mere cache or saved in the
 * checkpoint.
 */
#ifndef LEARN_RUN_H
#define LEARN_RUN_H

#include <omegapac/learning.h>

#include "base/pool.h"
#include "learn/optimist.h"
#include "learn/world.h"

typedef struct learn_run {
    learn_world world;
    learn_optimist *optimist;
    uint64_t seed;
    uint64_t horizon;   /* T */
    uint64_t episodes;  /* done so far: the next one has this number */
    uint64_t steps;     /* transitions of them, free ones included, up to the end of a run
                           in a place that it cannot leave */
    uint64_t max_steps; /* an episode begins only if T more steps fit; 0: no bound */
    uint64_t policies;  /* so far */
    uint64_t updates;   /* of the optimist, also those after which the policy is the same: by
                                 this samplers know whether a map of the policy is of the present one */
    uint64_t limit;     /* an advance returns once there were so many episodes, if it can do so
                                 without a difference for the outcome; UINT64_MAX: none */
    uint64_t mark;      /* of the livelock detector: the episode at which it last saw a new
                           observation, */
    uint64_t samples;   /* and how many there were then (loop.c) */
    base_pool *pool;    /* NULL: this thread alone */
    opac_environment **forks; /* by worker, forks[0] is world.env; count: pool threads or 1 */
    bool one_by_one;          /* the step sampler runs one episode after the other: for tests */
    const opac_cancel *cancel;
    /* Whether to stop at the next opportunity: cancelled, time is up, or a checkpoint is due.
     * Asked at least every tenth of a second. */
    bool (*halt)(void *context);
    void *halt_context;
    double deadline; /* by learn_seconds: time is up then; 0: never */
    /* An episode was broken off when a part of it was counted: what there is will do for a
     * result, but not to go on from. */
    bool is_torn;
    opac_progress *progress;
} learn_run;

typedef struct learn_step learn_step;
opac_status learn_step_new(learn_run *run, learn_step **sampler, opac_error *error);
void learn_step_free(learn_step *sampler);
opac_status learn_step_advance(learn_step *sampler, opac_error *error);

typedef struct learn_population learn_population;
opac_status learn_population_new(learn_run *run, learn_population **sampler, opac_error *error);
void learn_population_free(learn_population *sampler);
opac_status learn_population_advance(learn_population *sampler, opac_error *error);
/*
 * What a batch keeps is at most so many numbers, one an edge of the policy's pairs and step, 20 bytes
 * each. Where T times the edges are more, batches have at most so many transitions, and
 * the sampler has nothing left of its speed.
 */
#define LEARN_POPULATION_FLOWS 33554432.0

/*
 * Whether an episode that has come to a pair is over: under the policy, free choices lead round and
 * round, and the environment is never asked again. It then counts no further
 * steps. Both samplers go by this.
 */
bool learn_run_is_over(const learn_run *run, uint32_t pair);

bool learn_run_is_late(const learn_run *run);
/*
 * Whether the episode under way is to be broken off, however long it has been:
 * somebody asked for it, or time is up. Asked every LEARN_SLICE steps or more often.
 */
bool learn_run_must_stop(const learn_run *run);
#define LEARN_SLICE 65536
/* Episodes of more steps are never part of a walk, which nothing can break off. */
#define LEARN_LONG_EPISODE ((uint64_t)1 << 24)

#endif
