/* SPDX-License-Identifier: MIT */
/*
 * How the failure probability δ of a run is divided. This is the only place of the library that does so;
 * the checker has a copy of its own (verify/), and docs/theory.md, "Without T: closing a bracket", the proofs.
 *
 *     bracket     δ ─┬─ support    a set of successors taken for complete is not: δ/2; 0 if the graph is known
 *                    └─ interval   an interval misses its probability: the rest
 *                 each part ──► row i ──► its successors
 *
 *     estimate    δ ─┬─ line       the sequence for a fixed number of trajectories
 *                    └─ mixture    the sequence for any number of them
 *
 *     ω-PAC       δ ──► rows ──► successors, by the rule for k (stat/, opac_bound_k)
 *
 * The tests of independence of a simulator are not part of δ: SAMPLE_REPEATS_LEVEL.
 */
#ifndef SAMPLE_BUDGET_H
#define SAMPLE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* ---- brackets ---- */

typedef struct sample_budget {
    double support, interval; /* they sum to δ */
    uint64_t rows;            /* R, how many rows there are at most; 0: not declared */
} sample_budget;

sample_budget sample_budget_of(double delta, bool knows_graph, uint64_t rows);
/* R: a row for each state and action, and the reset; 0: one is not declared, or R exceeds 64 bits. */
uint64_t sample_budget_rows(uint64_t states, uint64_t actions);

/* The share of row i, counted from 1: 1/(i(i+1)), or the mean of that and 1/R. Sums to 1 at most. */
double sample_budget_share(const sample_budget *budget, uint64_t i);
/* ln of what row i may fail with, for all its successors together. */
double sample_budget_log_support(const sample_budget *budget, uint64_t i);
double sample_budget_log_interval(const sample_budget *budget, uint64_t i);
/*
 * Of that, the part of each of w successors: 1/w. If there are two, all of it, since one sequence serves
 * both. One-sided sequences have twice as much.
 */
double sample_budget_log_successor(double log_row, uint32_t successors, bool is_one_sided);
/* Where successors are told apart as they are discovered: the part of the k-th, 1/(k(k+1)). */
double sample_budget_log_discovery(double log_row, uint64_t k);

/* ---- estimates ---- */

typedef struct sample_budget_estimate {
    double line, mixture; /* they sum to δ at most; 0: the sequence is not used */
} sample_budget_estimate;

/* to_width: the run ends by the width of its interval. has_limit: it may be ended by a limit, which depends
 * on what is seen. */
sample_budget_estimate sample_budget_of_estimate(double delta, bool to_width, bool has_limit);

#endif
