/* SPDX-License-Identifier: MIT */
/*
 * A learner as a strategy: it decides what is sampled next, what follows from the counts, and
 * what is promised. The frame (run_loop.h) does what all of them need: the first reset or a checkpoint, the trial,
 * the samplers, limits, and the ends of a run.
 *
 *     check ─► prepare ─► start or resume ─► next ─► samples ─► absorb ─► next … ─► finish ─► report
 *
 * A strategy keeps its state in sample_run.own. It knows no other strategy, and only learn/learn.c knows
 * which ones there are. A function that may be NULL says so.
 */
#ifndef SAMPLE_STRATEGY_H
#define SAMPLE_STRATEGY_H

#include "sample/run_loop.h"

typedef struct sample_strategy {
    /* ---- before anything is sampled ---- */
    /* Whether the options make sense, and the environment can do what they ask for. */
    opac_status (*check)(const opac_learn_options *options, const env_traits *traits,
                         opac_error *error);
    /* The options that the outcome depends on, one a line: a checkpoint is compared with them. */
    void (*describe)(const opac_learn_options *options, base_text *text);
    /* Observations that make a row known; SAMPLE_NEVER_FULL: `absorb` decides. */
    opac_status (*choose_k)(opac_learning *learning, uint64_t *k, opac_error *error);
    /* Its state; the world is there. */
    opac_status (*prepare)(opac_learning *learning, const sample_tuning *tuning, opac_error *error);
    /* Whether it may draw successors of states of its choice, if the environment can. */
    bool (*may_draw)(const opac_learn_options *options);
    /* Whether the population sampler is the one to take; NULL: never. */
    bool (*is_in_batches)(const opac_learning *learning);
    /* Compares what the trial has seen with what is assumed; NULL: with nothing. */
    opac_status (*compare_trial)(opac_learning *learning, const sample_statistics *seen,
                                 opac_error *error);

    /* ---- the run ---- */
    void (*begin)(sample_loop *frame); /* before a checkpoint is read; or NULL */
    opac_status (*start)(sample_loop *frame, opac_error *error);  /* one start state was seen */
    opac_status (*resume)(sample_loop *frame, opac_error *error); /* a checkpoint was read */
    /* What comes next: the end of the run (sample_loop_end), samples, or another call. Calls
     * sample_loop_pause where the run may be interrupted. */
    opac_status (*next)(sample_loop *frame, bool *wants_samples, opac_error *error);
    opac_status (*absorb)(sample_loop *frame, opac_error *error); /* there are new samples */
    void (*fail)(sample_loop *frame); /* the environment has failed: the last checkpoint */
    opac_status (*finish)(sample_loop *frame, opac_error *error); /* the run is over */
    /* The report, the statement and the assumptions. */
    opac_status (*report)(opac_learning *learning, opac_error *error);
    /* A second opinion on what is reported; NULL: there is none. */
    opac_status (*verify)(const opac_learning *learning, opac_error *error);

    /* ---- its policy, for samplers and results ---- */
    /* It does not change between two updates; of pairs that were met since the last one it is: */
    uint32_t (*choice)(const sample_run *run, uint32_t product_state);
    /* By the pair's state, memory and known choices alone, and the run's seed: the world may be one of a
     * thread that has met the pair by itself. */
    uint32_t (*choice_of_new)(const sample_run *run, const sample_statistics *stats,
                              uint32_t product_state);
    /* Pairs whose choice the last update changed; NULL: any pair. */
    bool (*changes)(const sample_run *run, const uint32_t **product_states, size_t *count);
    /* Whether episodes end in a pair, though more could be done there; NULL: nowhere. SAMPLE_NONE: in
     * pairs that were met since the last update. */
    bool (*ends_at)(const sample_run *run, uint32_t product_state);
    opac_status (*chain)(const sample_run *run, sample_chain *chain, opac_error *error);

    /* ---- checkpoints ---- */
    /* Its state as words; restoring checks them, after the world was restored. */
    opac_status (*save)(const sample_run *run, base_u64_vec *words, opac_error *error);
    opac_status (*restore)(sample_run *run, const uint64_t *words, size_t count, opac_error *error);
    void (*free)(sample_run *run);
    bool has_fixed_length; /* every episode has at most T steps */
} sample_strategy;

/* Leaves the run without a strategy. */
void sample_run_free_strategy(sample_run *run);

#endif
