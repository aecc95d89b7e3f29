/* SPDX-License-Identifier: MIT */
/*
 * The model of the frequencies: the product of the automaton with the rows that are known and do not take turns
 * (sample_statistics_takes_turns), with observed frequencies as probabilities. It proves nothing. Learners with lower bounds by whole episodes choose their
 * candidates by it (sample/candidate.h), and decide by it what to sample.
 *
 *     statistics ──► model of the frequencies ─┬─► the best policy, and its value
 *                                              ├─► a posterior sample, and its best policy
 *                                              └─► of any positional policy: its value, what it reaches in time
 *
 * A run that takes an unknown choice is rejected. A row may be known but not closed: it may have successors
 * that were not seen. An end component with such a row does not count as winning.
 */
#ifndef FREQUENCIES_FREQUENCIES_H
#define FREQUENCIES_FREQUENCIES_H

#include <omegapac/cancel.h>

#include "graph/process.h"
#include "sample/candidate.h"
#include "sample/run.h"
#include "solve/problem.h"
#include "stat/interval.h"

typedef struct frequencies_model frequencies_model;

typedef struct frequencies_options {
    const solve_rabin_pair *pairs; /* of the automaton's condition; copied */
    uint32_t pair_count;
    bool only_sink;   /* only runs that reach a universal memory win */
    double precision; /* of values, absolute */
    /* Whether a row has no other successors than those seen; NULL: all rows count as closed. */
    bool (*is_closed)(const void *context, uint32_t row);
    /* The intervals of a row's probabilities, by position in sample_statistics_order: frequencies outside of them
     * are moved to their ends. *intervals: NULL if there are none. NULL: frequencies are used as they are. */
    opac_status (*find_intervals)(const void *context, uint32_t row,
                                  const stat_interval **intervals, opac_error *error);
    const void *context; /* of both */
} frequencies_options;

/* The statistics are borrowed. */
opac_status frequencies_new(sample_statistics *stats, const frequencies_options *options,
                            frequencies_model **made, opac_error *error);
void frequencies_free(frequencies_model *f);

/* The pairs that can accept, and the marks that they name. With only_sink, a pair for the marks of this model. */
const solve_rabin_pair *frequencies_pairs(const frequencies_model *f, uint32_t *count);
uint64_t frequencies_named(const frequencies_model *f);

/* Rebuilds the model from the current counts, after sample_statistics_refresh. */
opac_status frequencies_build(frequencies_model *f, const opac_cancel *cancel, opac_error *error);
/* Of the last build: the process of all known choices, and their marks. */
graph_process frequencies_process(const frequencies_model *f);
const uint64_t *frequencies_marks(const frequencies_model *f);

/*
 * Computes the best policy of the last build. Where nothing can be won, it takes the lowest choice that is not
 * known, if there is one. Cheap if the frequencies have changed little since the last call.
 */
opac_status frequencies_solve(frequencies_model *f, const opac_cancel *cancel, opac_error *error);
/* The policy found last, and its value; owned by the model. */
const sample_positional *frequencies_best(const frequencies_model *f, double *value);

/*
 * The best policy of a posterior sample: the probabilities of each row are drawn from the Dirichlet distribution
 * with parameters ½ + count (Thompson 1933; Osband, Russo and Van Roy 2013). `seed` determines the draws.
 */
opac_status frequencies_sample(frequencies_model *f, uint64_t seed, const opac_cancel *cancel,
                               sample_positional *policy, opac_error *error);

/* For checkpoints: the guesses of the next solution. Restoring validates the words; *used: their number. */
opac_status frequencies_save(const frequencies_model *f, base_u64_vec *words, opac_error *error);
opac_status frequencies_restore(frequencies_model *f, const uint64_t *words, size_t count,
                                size_t *used, opac_error *error);

/* ---- of a positional policy, with the current counts ---- */

/* The probability that a run of the policy is accepted. */
opac_status frequencies_value(frequencies_model *f, const sample_positional *policy,
                              const opac_cancel *cancel, double *value, opac_error *error);
/* The same for the episodes of a candidate, which are lost in some product states (sample_candidate_loses_at). */
opac_status frequencies_trial_value(frequencies_model *f, const sample_candidate *candidate,
                                    const opac_cancel *cancel, double *value, opac_error *error);
/* The chain of the policy; owned by the model. */
opac_status frequencies_chain(frequencies_model *f, const sample_positional *policy,
                              sample_chain *chain, opac_error *error);
/* A set of product states: ascending numbers, and the sink. */
typedef struct frequencies_target {
    const uint32_t *items;
    size_t count;
} frequencies_target;
/*
 * The probability of reaching the target within so many steps. lost: the product states of the policy's chain
 * from which it is 0, ascending; may be NULL.
 */
opac_status frequencies_reach(frequencies_model *f, const sample_positional *policy,
                              frequencies_target target, uint64_t steps, const opac_cancel *cancel,
                              double *value, base_u32_vec *lost, opac_error *error);

/*
 * *length: the least power of 2 within which the policy reaches the target with at least the probability `wanted`,
 * or `longest`.
 */
opac_status frequencies_fit_length(frequencies_model *f, const sample_positional *policy,
                                   frequencies_target target, double wanted, uint64_t longest,
                                   const opac_cancel *cancel, uint64_t *length, opac_error *error);

/* Number of sweeps of a finite horizon that take a few tenths of a second; at least some. */
uint64_t frequencies_most_sweeps(const graph_process *process);

#endif
