/* SPDX-License-Identifier: MIT */
/*
 * The interface of a learner. A strategy decides what to sample next, what follows from the counts, and
 * what is guaranteed. The loop (run_loop.h) does what all learners need: options common to all, the first
 * reset or a checkpoint, the trial of a simulator, the samplers, limits, and writing checkpoints.
 *
 *     learn_tuned   check ─► choose_k ─► prepare                                (learn/learn.c)
 *     the loop      begin ─► start or resume ─► next ─► samplers ─► absorb ─► next … ─► finish
 *     learn_tuned   report ─► verify
 *
 * How to add a learner:
 *
 *  1. Make a module beside src/bracket/ and src/omega_pac/ with a constant sample_strategy. The shortest one
 *     is in tests/learn/test_strategy.c. Functions that may be NULL are marked "optional".
 *  2. Keep the state of a run in sample_run.own: allocate it in `prepare`, release it in `free`.
 *  3. In `next`, call sample_loop_pause first: it ends the run at limits and writes checkpoints. Then end the
 *     run (sample_loop_end), or set the policy and, for rounds, run->round and run->limit, and set
 *     *wants_samples. The samplers call `choice` in every product state until `next` is called again, and
 *     count what they observe in run->stats.
 *  4. A guarantee needs counts that are valid at the time they are used. Observations of a row are
 *     independent draws as long as no episode is dropped because of what it saw: see the rounds in run.h, and
 *     "Episodes that are left out" in docs/theory.md. Its division of δ belongs into budget.h.
 *  5. Select the strategy in select_strategy of learn/learn.c. No other file names a strategy.
 *
 * Everything that the result depends on must be a function of the seed, the options and the counts, so that
 * runs can be repeated, resumed, and run with any number of threads.
 */
#ifndef SAMPLE_STRATEGY_H
#define SAMPLE_STRATEGY_H

#include "sample/run_loop.h"

struct sample_certificate;

typedef struct sample_strategy {
    /* ---- before anything is sampled ---- */
    /* Validates the options, and that the environment can do what they require. */
    opac_status (*check)(const opac_learn_options *options, const env_traits *traits,
                         opac_error *error);
    /* Appends the options that the result depends on, one "name=value" a line. A checkpoint with
     * different ones is refused. */
    void (*describe)(const opac_learn_options *options, base_text *text);
    /* The number of observations that make a row known. SAMPLE_NEVER_FULL if the strategy itself makes rows
     * known, by sample_statistics_complete. */
    opac_status (*choose_k)(opac_learning *learning, uint64_t *k, opac_error *error);
    /* Creates the state of the strategy. The statistics are initialised and empty. */
    opac_status (*prepare)(opac_learning *learning, const sample_tuning *tuning, opac_error *error);
    /* Whether it may draw successors of arbitrary states, if the environment supports it. */
    bool (*may_draw)(const opac_learn_options *options);
    /* Whether to use the population sampler; optional, otherwise the step sampler is used. */
    bool (*uses_population)(const opac_learning *learning);
    /* Compares the observations of the trial with the assumptions; optional. */
    opac_status (*compare_trial)(opac_learning *learning, const sample_statistics *seen,
                                 opac_error *error);

    /* ---- the run ---- */
    void (*begin)(sample_loop *loop); /* before a checkpoint is read; optional */
    /* The first policy: after the first reset, or after a checkpoint was read. */
    opac_status (*start)(sample_loop *loop, opac_error *error);
    opac_status (*resume)(sample_loop *loop, opac_error *error);
    /* Decides what follows: the end of the run (sample_loop_end), samples (*wants_samples), or another call
     * of `next`. Calls sample_loop_pause where the run may be interrupted. */
    opac_status (*next)(sample_loop *loop, bool *wants_samples, opac_error *error);
    /* Called after each call of a sampler. Samplers return as stated in run.h. */
    opac_status (*absorb)(sample_loop *loop, opac_error *error);
    /* The environment has failed: writes the last checkpoint. */
    void (*fail)(sample_loop *loop);
    /* The run has ended, for whatever reason: computes the final policy. */
    opac_status (*finish)(sample_loop *loop, opac_error *error);
    /* Fills in report, statement and assumptions. */
    opac_status (*report)(opac_learning *learning, opac_error *error);
    /* Checks the report independently; optional. A failure is the result of opac_learn. */
    opac_status (*verify)(const opac_learning *learning, opac_error *error);

    /* Of a strategy with certificates (certificate.h); optional, but then both. has_bracket: a bracket was
     * computed. put_certificate: writes the members from `assumes` to `claim`. */
    bool (*has_bracket)(const sample_run *run);
    opac_status (*put_certificate)(struct sample_certificate *writer, opac_error *error);

    /* ---- the policy, for samplers and results ---- */
    /* The choice in a product state. Must not change between two updates (run->updates). */
    uint32_t (*choice)(const sample_run *run, uint32_t product_state);
    /* The choice in a timed round (sample_round.is_timed) with this number of steps left; SAMPLE_NONE ends the
     * episode. Optional. */
    uint32_t (*choice_at)(const sample_run *run, uint32_t product_state, uint64_t left);
    /*
     * The choice in a product state that was added since the last update. Must be a function of its state,
     * memory and known choices, and of the run's seed: the statistics may be those of a worker that has
     * found the product state by itself.
     */
    uint32_t (*choice_of_new)(const sample_run *run, const sample_statistics *stats,
                              uint32_t product_state);
    /* A number that the current round shares only with rounds whose episodes follow the same policy, each of them by
     * what it has observed alone; 0: none. Optional; if nothing is known, whole episodes with the same number
     * are tested for repetitions (repeats.h). */
    uint64_t (*policy_number)(const sample_run *run);
    /* The product states whose choice the last update changed; false if any may have changed. Optional. */
    bool (*changes)(const sample_run *run, const uint32_t **product_states, size_t *count);
    /* Whether episodes end in a product state, because nothing after it is of interest; optional.
     * SAMPLE_NONE stands for those that were added since the last update. */
    bool (*ends_at)(const sample_run *run, uint32_t product_state);
    /*
     * Observers of episodes, called in the order of episodes and steps in rounds that are observed; optional, but
     * then all three. In such rounds tabulated environments are sampled step by step, too. A step is a choice in a product state; the end
     * is where the last step led. is_absorbed: only free choices follow, forever.
     */
    void (*episode_begins)(sample_run *run);
    opac_status (*step_taken)(sample_run *run, uint32_t product_state, uint32_t choice,
                              opac_error *error);
    opac_status (*episode_ends)(sample_run *run, uint32_t product_state, bool is_absorbed,
                                uint64_t steps, opac_error *error);
    /* Whether what is proven is about `choice` in all product states that were added, not only in those that the
     * chain reaches by what was seen. Then policies list them all. Optional: false. */
    bool (*has_total_policy)(const sample_run *run);
    /* The Markov chain of the policy in the model of the frequencies. */
    opac_status (*chain)(const sample_run *run, sample_chain *chain, opac_error *error);

    /* ---- checkpoints ---- */
    /* The state as words. restore is called after the statistics were restored, and must validate the
     * words: a file may contain anything. */
    opac_status (*save)(const sample_run *run, base_u64_vec *words, opac_error *error);
    opac_status (*restore)(sample_run *run, const uint64_t *words, size_t count, opac_error *error);
    void (*free)(sample_run *run);
    bool has_fixed_length; /* every episode has at most T steps */
    /* Episodes end in states whose actions are all known to lead back. Requires counters by row. */
    bool ends_in_traps;
} sample_strategy;

/* Releases the state of a run's strategy; the run has none afterwards. */
void sample_run_free_strategy(sample_run *run);

#endif
