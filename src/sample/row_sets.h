/* SPDX-License-Identifier: MIT */
/*
 * Row sets with unseen mass: what is known about the probabilities of every row, from independent draws
 * alone (docs/theory.md, Definition 13). Neither p_min nor the number of successors is needed.
 *
 *     row i    successors seen, in the order of discovery      unseen
 *              τ_1 = 1     τ_2        …        τ_k       n
 *              [a_1, b_1]  [a_2, b_2] …     [a_k, b_k]          [0, M]
 *
 * Statement maintained. With probability at least 1 - δ_support - δ_interval, for all rows and at all times at
 * once: the interval of every successor seen contains its probability, and all others together have at most
 * M. Row i has share(i) of both parts of δ (budget.h; Lemma 16).
 *
 *     intervals   the k-th successor has a confidence sequence at level 1/(k(k+1)) of the row's, which
 *                 counts the draws after its discovery only (Lemma 20)
 *     unseen      the least bound of Theorem 13 over all k, where j is the number of draws between the k-th
 *                 discovery and the next one, or up to now; 0 if as many successors were seen as are declared
 *
 * Rounding is as in bracket/support.h, and by the same functions: the checker's intervals lie inside.
 *
 * The statistics must count by row, with rows_are_open. A row set is recomputed if the row's count has changed:
 * n log n for n successors, and half a microsecond for each of them.
 */
#ifndef SAMPLE_ROW_SETS_H
#define SAMPLE_ROW_SETS_H

#include "sample/budget.h"
#include "sample/statistics.h"
#include "stat/interval.h"

/* ---- intervals of the learner and of the checker ---- */

#define SAMPLE_INTERVAL_ROUNDING 1e-9 /* relative allowance for the rounding of the checker */
/* The absolute part of the allowance, for a row with so many successors. For a very small end a relative one is
 * not enough: with a very small delta, the sequences of learner and checker differ by more than that. */
double sample_interval_margin(double width);
/* Widens an interval of such a row outwards; the lower end is at least `least` minus the margin. */
stat_interval sample_interval_widen(stat_interval interval, double least, uint32_t width);
/* Cuts each upper end at what the lower ends of the others leave. lower: the sum of all lower ends. */
void sample_intervals_tighten(stat_interval *intervals, uint32_t width, double lower);

/* ---- row sets ---- */

typedef struct sample_row_sets_options {
    sample_budget budget;
    uint64_t branching; /* declared number of successors of a row; 0 if not declared */
    /* Wrong on purpose, for tests that must detect it. */
    bool no_unseen;        /* M is 0 */
    bool counts_discovery; /* intervals count the discovering draw */
} sample_row_sets_options;

typedef struct sample_row_set {
    const stat_interval *intervals; /* by position in sample_statistics_order */
    uint32_t width;
    double unseen; /* M; 1 for a row that was never tried */
    uint64_t
        quiet_after; /* the k of Theorem 13 that gives M, and its j; 0 if M is 0 or 1 by itself */
    uint64_t quiet;
    bool is_empty; /* no distribution lies within the intervals and M */
} sample_row_set;

typedef struct sample_row_sets sample_row_sets;
/* The statistics are borrowed. */
opac_status sample_row_sets_new(const sample_statistics *stats,
                                const sample_row_sets_options *options, sample_row_sets **sets,
                                opac_error *error);
void sample_row_sets_free(sample_row_sets *sets);
const sample_budget *sample_row_sets_budget(const sample_row_sets *sets);
/* i: rows are numbered in the order of discovery, from 1. */
uint64_t sample_row_sets_index(uint32_t row);
/* After sample_statistics_refresh. Valid until the next call. */
opac_status sample_row_sets_get(sample_row_sets *sets, uint32_t row, sample_row_set *set,
                                opac_error *error);

/* A discovery: a position in sample_statistics_order, and what sample_discovery has. */
typedef struct sample_found {
    uint64_t draw; /* `from` */
    uint32_t position;
    uint64_t before, hits;
} sample_found;
BASE_VEC(sample_found_vec, sample_found);
/* The j of Theorem 13: of so many draws, those between the k-th discovery and the next one, or up to now. */
uint64_t sample_count_quiet(const sample_found_vec *found, uint64_t draws, size_t k);
/* The successors of a row in the order of discovery. */
opac_status sample_row_discoveries(const sample_statistics *stats, uint32_t row,
                                   sample_found_vec *found, opac_error *error);
/* The same with branches in place of positions, also of those that were observed since the last refresh. Those that
 * were discovered in one batch are in the same order as above. */
opac_status sample_branch_discoveries(const sample_statistics *stats, uint32_t row,
                                      sample_found_vec *found, opac_error *error);

#endif
