/* SPDX-License-Identifier: MIT */
/*
 * A run of a learner, as seen by its samplers.
 *
 *     until done:  the strategy's policy ─► sampler: episodes ─► the strategy …
 *
 * A sampler (step.c, population.c) is one function: it samples episodes under the strategy's policy and
 * counts the observations in the statistics, in the order of episodes. It returns
 *
 *   - after an episode in which a counter became full; all later episodes are discarded;
 *   - after `limit` episodes;
 *   - if `halt` requests it, if a declared bound turns out to be wrong, or if max_steps is used up.
 *
 * The result of a run is a function of the seed, for any number of threads and wherever it was interrupted:
 * episode i has a random stream of its own, and whatever a sampler keeps between calls is either a cache
 * or saved in checkpoints.
 */
#ifndef SAMPLE_RUN_H
#define SAMPLE_RUN_H

#include <omegapac/learning.h>

#include "base/memory.h"
#include "base/pool.h"
#include "graph/process.h"
#include "sample/statistics.h"

/*
 * A round: a number of episodes that is fixed before the first of them, all of which are counted, whatever
 * they observe. So the observations of a row are a prefix of independent draws (docs/theory.md, "Episodes
 * that are left out"). The actions of an episode are a function of what was known before the round, of the
 * number of the episode and of its own observations. So the episodes of a round may be run at the same time
 * and in any order; they are counted in the order of their numbers.
 */
typedef struct sample_round {
    uint64_t number;
    uint64_t first;    /* number of its first episode */
    uint64_t episodes; /* number of its episodes */
    uint64_t steps;    /* of the run before the round */
    /* Above 0: the unknown choices of a product state take turns (sample_turn_choice), at most
     * turn_choices of them, up to `turns` times each. 0: the policy decides. */
    uint64_t turns, turn_choices;
    uint64_t
        most_visits; /* with turns: visits of an episode to an unknown choice of a product state, before
                             it ends; 0: no limit */
    uint64_t
        is_timed; /* whether choices depend on the number of steps left: sample_strategy.choice_at */
    uint64_t
        is_observed; /* whether the strategy observes the episodes (sample_strategy.step_taken), which
                             then run to their end, or to where the strategy ends them */
    /* Number of recent episodes in rounds with turns that reached the maximal length without sampling an
     * incomplete row. */
    uint64_t idle_episodes;
} sample_round;
enum {
    SAMPLE_ROUND_WORDS = sizeof(sample_round) / sizeof(uint64_t)
};

/* Largest number of steps of a run with a bracket: counts up to this are exact in doubles. */
#define SAMPLE_MOST_STEPS ((uint64_t)1 << 53)

typedef struct sample_run {
    sample_statistics stats;
    const struct sample_strategy *strategy;
    void *own;          /* state of the strategy */
    sample_round round; /* zeros if the strategy does not sample in rounds */
    uint64_t seed;
    uint64_t horizon;  /* T, or the maximal length of an episode of the round */
    uint64_t episodes; /* finished so far; the next one has this number */
    uint64_t steps; /* of these, including free ones, up to absorption (sample_run_is_absorbed) */
    uint64_t
        max_steps;     /* an episode begins only if `horizon` more steps are allowed; 0: no limit */
    uint64_t policies; /* number of policies so far */
    uint64_t updates;  /* number of updates of the policy, also of those that did not change it;
                           samplers use it to detect outdated caches */
    uint64_t limit;    /* samplers return after so many episodes, if that does not affect the
                           result; UINT64_MAX: none */
    /* Of the livelock detector (omega_pac/omega_pac.c): the episode at which it last found new observations,
     * and the number of observations then. */
    uint64_t watch_begin, watch_samples;
    base_pool *pool; /* NULL: the calling thread only */
    opac_environment *
        *forks;      /* by worker; forks[0] is stats.env; one for each thread of the pool */
    bool sequential; /* the step sampler runs one episode after the other: for tests, and for
                                 simulators whose random numbers are not a function of the seed */
    const opac_cancel *cancel;
    /* Whether to stop at the next opportunity: on request, at a limit, or because a checkpoint is due.
     * Polled at least every tenth of a second. */
    bool (*halt)(void *context);
    void *halt_context;
    double deadline;  /* by opac_clock_seconds; 0: none */
    base_meter meter; /* of memory; without a limit for tabulated environments */
    /* An episode was interrupted after a part of it was counted. The counts are good for a result, but
     * the run must not be continued from them. */
    bool has_partial_episode;
    /* An episode was dropped because of what it saw, by the test of independence (repeats.h): the run must
     * not be continued. */
    bool independence_refuted;
    opac_progress *progress;
} sample_run;

/* The steps so far, for limits: at least one for each episode, so that episodes without steps end a run, too. */
static inline uint64_t sample_run_work(const sample_run *run)
{
    return run->steps > run->episodes ? run->steps : run->episodes;
}
/* Keeps the names of actions that the environment or a fork knows. */
opac_status sample_run_take_names(sample_run *run, opac_error *error);

/* Functions of the strategy; see strategy.h. */
uint32_t sample_run_choice(const sample_run *run, uint32_t product_state);
/* The choice with this number of steps left in the episode, which matters in timed rounds only; also in product
 * states that were added since the last update. SAMPLE_NONE: the episode ends. */
uint32_t sample_run_choice_at(const sample_run *run, uint32_t product_state, uint64_t left);
uint32_t sample_run_choice_of_new(const sample_run *run, const sample_statistics *stats,
                                  uint32_t product_state);
bool sample_run_changes(const sample_run *run, const uint32_t **product_states, size_t *count);
bool sample_run_ends_at(const sample_run *run, uint32_t product_state);
/* Whether episodes end in a state, whatever the memory is: see sample_strategy.ends_in_traps. */
bool sample_run_ends_in(const sample_run *run, uint32_t state);
/* The lowest unknown choice of a product state, or its first choice: can serve as choice_of_new. */
uint32_t sample_first_unknown(const sample_run *run, const sample_statistics *stats,
                              uint32_t product_state);
/*
 * In a round with turns: the unknown choice that has a turn, where turn 0 belongs to `chosen`. Two choices
 * alternate; of more than two, each has all of its turns before the next one.
 */
uint32_t sample_turn_choice(const sample_round *round, const sample_statistics *stats,
                            uint32_t product_state, uint32_t chosen, uint64_t turn);

/*
 * The Markov chain of the policy in the model of the frequencies, as far as it is reached from the start.
 * Product states with an unknown choice have no choice. Owned by the strategy, valid until its next call.
 */
typedef struct sample_chain {
    graph_process process;          /* at most one choice for each node; node 0 is the start */
    const uint32_t *product_states; /* by node */
    const uint32_t *choice;         /* by node; numbered as in the statistics */
} sample_chain;
opac_status sample_run_chain(const sample_run *run, sample_chain *chain, opac_error *error);

typedef struct sample_step sample_step;
opac_status sample_step_new(sample_run *run, sample_step **sampler, opac_error *error);
void sample_step_free(sample_step *sampler);
opac_status sample_step_advance(sample_step *sampler, opac_error *error);
/* *is_same: whether some episodes give the same observations when they are repeated with the same seed, in
 * the environment itself, in a fork and on lanes. */
opac_status sample_step_check_seeds(sample_step *sampler, bool *is_same, opac_error *error);

typedef struct sample_population sample_population;
opac_status sample_population_new(sample_run *run, sample_population **sampler, opac_error *error);
void sample_population_free(sample_population *sampler);
opac_status sample_population_advance(sample_population *sampler, opac_error *error);
/*
 * A batch stores at most so many numbers, of 20 bytes: one for each step and each edge of the policy's
 * product states. If T times the number of edges exceeds this, a batch has at most so many transitions, and
 * the population sampler is no faster than the step sampler.
 */
#define SAMPLE_POPULATION_FLOWS 33554432.0

/*
 * Whether a product state is absorbing under the policy: only free choices follow, forever, so the
 * environment is never stepped again. An episode ends there and counts no further steps, with either
 * sampler. In a timed round it may be false for an absorbing product state with several choices.
 */
bool sample_run_is_absorbed(const sample_run *run, uint32_t product_state);

bool sample_run_is_late(const sample_run *run);
/*
 * Whether the current episode must be interrupted: on request, or because the limit on time or memory is
 * reached. Polled at least every SAMPLE_SLICE steps.
 */
bool sample_run_must_stop(sample_run *run);
#define SAMPLE_SLICE 65536
/* Longer episodes are never part of a chunk (step_chunks.c), which cannot be interrupted. */
#define SAMPLE_LONG_EPISODE ((uint64_t)1 << 24)

#endif
