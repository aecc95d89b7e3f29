/* SPDX-License-Identifier: MIT */
/*
 * What is certain, and how sure, of the actions that were tried, without any T:
 * where they can lead to, and between which bounds the probabilities lie.
 *
 *     row i ──► i-th share of δ ──► complete after n_i visits ──► intervals, valid at all times
 *
 * Known beforehand is a bound p_min on positive probabilities of actions, or the graph, or both. A
 * random reset is a row, too, with a bound of its own, p_start: p_min says nothing about it.
 *
 * Shares. Rows are numbered 1, 2, 3 … in the order of discovery, and row i has a number before it
 * is first tried. Its share is 1/(i(i+1)), or, if at most R rows are declared,
 * the mean of that and 1/R. δ = δ_support + δ_interval, half and half; if the
 * graph is known, all is δ_interval.
 *
 * Support. A row has at most b = min(⌊1/p_min⌋, declared) successors, the quotient with a
 * relative 1e-9 to spare, so that a p_min of 1/5, which is no double, leaves 5. It is
 * complete after n_i visits (stat_support_visits with δ_support · share / b), or as
 * soon as b successors were seen, or, if the graph is known, from the start.
 * Complete rows are the world's known ones, and their successors are fixed then. The reset has
 * p_start in place of p_min. Without that, and without a graph, it is never complete, and has one more
 * outcome, for what was not seen yet: support_start.c. No end component contains the place before the
 * reset, so that nothing else depends on its being complete.
 *
 * Intervals of a complete row with w successors: [1, 1] if w = 1; else α = δ_interval · share / w
 * for each, all of δ_interval · share if w = 2, where one sequence serves both (w is the number of
 * successors there are, if the support is right: so a union bound over w, not b, will do).
 * Then widened by a relative 1e-9, and by 1e-13 for each successor, so that those of the checker,
 * which rounds in another way and widens by 2e-10, lie inside; cut at p_min (1 - 2e-9) below, and above
 * at what the others' lower ends leave. See "Rounding in certificates" in docs/theory.md.
 *
 * Refuted. What cannot be, if what was assumed is true, or only with a
 * probability that is part of δ: see sample_refutation.
 */
#ifndef BRACKET_SUPPORT_H
#define BRACKET_SUPPORT_H

#include <omegapac/learning.h>

#include "sample/statistics.h"
#include "stat/interval.h"

typedef struct bracket_support_options {
    double pmin;             /* of actions; 0: unknown */
    double pmin_start;       /* of the reset; 0: unknown */
    opac_environment *graph; /* NULL: unknown; else it knows successors (env_successors) */
    double delta;
    uint64_t rows;      /* R; 0: not declared */
    uint64_t branching; /* declared; 0: not */
    /*
     * For comparison: both as of Ashok, Kretinsky and Weininger, "PAC statistical model checking for
     * Markov decision processes and stochastic games", CAV 2019. Lower ends by Hoeffding's
     * inequality, one-sided; what they leave over may go to any successor of the row. And: lower ends
     * are not cut at p_min.
     */
    bool hoeffding, no_pmin_cut;
    /* For tests that must notice what is wrong; 0: nothing is. How much of the way from the
     * frequency to either end is left of an interval; and what n_i is divided by. */
    double interval_scale, visits_divisor;
} bracket_support_options;

typedef struct bracket_support bracket_support;

/* The world is borrowed; its k is as large as can be, and counters are by row. The graph learns of the
 * automaton's propositions. Comes before whatever restores the world from a checkpoint. */
opac_status bracket_support_new(sample_statistics *stats, const bracket_support_options *options,
                                bracket_support **support, opac_error *error);
void bracket_support_free(bracket_support *support);

/*
 * Rows that have become complete since are made known (sample_statistics_complete), and successors met;
 * with a graph, all that the graph reaches is met. *changed: how many became so.
 */
opac_status bracket_support_refresh(bracket_support *support, uint64_t *changed, opac_error *error);
/* Polled while a graph is explored, which then fails with OPAC_ERROR_CANCELLED; NULL: none. */
void bracket_support_set_cancel(bracket_support *support, const opac_cancel *cancel);

/* i and n_i (0: complete from the start), of any row that there is. */
uint64_t bracket_support_index(const bracket_support *support, uint32_t row);
uint64_t bracket_support_visits(const bracket_support *support, uint32_t row);

/* Whether a row is that of a random reset of which neither a bound nor the graph is known. */
bool bracket_support_is_start(const bracket_support *support, uint32_t row);
/* Bounds of that row: an outcome for each successor seen, and one for all others. */
typedef struct bracket_start {
    const stat_interval
        *intervals; /* by position in sample_statistics_order; none of it before a draw */
    uint32_t width;
    double unseen;        /* the others together have at most this probability */
    uint64_t quiet_after; /* it is that of so many successors seen, */
    uint64_t quiet;       /* and so many draws after that which showed no further one */
} bracket_start;
/* Valid until the next call; all zeros where there is no such row. */
opac_status bracket_support_get_start(bracket_support *support, bracket_start *start,
                                      opac_error *error);

/*
 * The intervals of a complete row, or of the start's, by position in sample_statistics_order. Computed when the counts have
 * changed since, else remembered; valid until the next call.
 */
opac_status bracket_support_intervals(bracket_support *support, uint32_t row,
                                      const stat_interval **intervals, opac_error *error);

/* Looks at all rows that changed since the last call; the first refutation stays. */
opac_status bracket_support_check(bracket_support *support, sample_refutation *found,
                                  opac_error *error);

/*
 * Looks at what another world, of the same environment and automaton, has seen: a row with more
 * successors than p_min leaves room for, or with one that the graph does not have, is a refutation
 * here, too, and its states are met.
 */
opac_status bracket_support_check_trial(bracket_support *support, const sample_statistics *other,
                                        opac_error *error);

/*
 * For checkpoints: which rows are complete, and with which successors, and the reset's discoveries,
 * appended as words. Restoring comes after the world was (statistics_restore.h), and checks; *used: words of the `count`.
 */
opac_status bracket_support_save(const bracket_support *support, base_u64_vec *words,
                                 opac_error *error);
opac_status bracket_support_restore(bracket_support *support, const uint64_t *words, size_t count,
                                    size_t *used, opac_error *error);

#endif
