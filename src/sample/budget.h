/* SPDX-License-Identifier: MIT */
/*
 * The division of the failure probability δ of a run. It is computed here only; the checker has its own
 * copy (verify/).
 *
 *     bracket     δ ─┬─ δ_support     some row with enough visits has an unseen successor: 15/16 of 7δ/16
 *                    ├─ δ_unseen      some unseen mass exceeds its bound: 1/16 of 7δ/16
 *                    ├─ δ_interval    some interval of a complete row misses its probability: 15/16 of 7δ/16
 *                    ├─ δ_discovery   some interval of an open row does: 1/16 of 7δ/16
 *                    │                these four ──► row i: share(i) of it ──► its successors
 *                    └─ δ_episodes    a lower bound by episodes is wrong: δ/8 ──► candidate j: 1/(j(j+1))
 *                    With a graph, δ_interval has the first four. Without trials, the first four have all of δ.
 *                    A reset without p_start uses δ_support + δ_unseen and δ_interval + δ_discovery.
 *
 *     with T      δ ─┬─ δ_support     some unseen mass exceeds its bound: δ/4
 *                    ├─ δ_interval    some interval misses its probability: δ/4
 *                    │                these two ──► row i: share(i) of it ──► its successors
 *                    ├─ δ_episodes    a lower bound by episodes is wrong: 7δ/16 ──► candidate j: 1/(j(j+1))
 *                    └─ δ_verdict     T is refuted wrongly by verdicts: δ/16 ──► candidate j: 1/(j(j+1))
 *
 *     nothing     δ ─── δ_episodes    as with T, but 15δ/16; the rest is for rows as with T, which only decide
 *     known                           what is explored: nothing is claimed of them
 *
 *     estimate    δ ─┬─ line          the sequence for a planned number of trajectories
 *                    └─ mixture       the sequence for any number of them
 *
 *     ω-PAC       δ ──► rows ──► successors, by the rule for k (stat/, opac_bound_k)
 *
 * Statement maintained for brackets: the failure probabilities of all rows and successors sum to at most δ,
 * however many rows there are. By a union bound, all supports and intervals are right with probability at
 * least 1 - δ (docs/theory.md, Theorem 12, with Lemmas 16 and 18). Shares of rows sum to at most 1:
 * Σ 1/(i(i+1)) = 1 over all i; with R declared rows, Σ 1/R = 1 over i ≤ R as well, and so the sum of the
 * means is at most 1. Levels of the successors of a row sum to at most that of the row; if one sequence
 * serves two successors, its level counts once. Levels of the successors that an incomplete reset shows,
 * 1/(k(k+1)) of that of the row, sum to at most that of the row (Lemma 20).
 * One-sided sequences use one end, which fails with half of the level, so they have twice the level.
 *
 * The tests of the independence of a simulator have a level of their own, which is not part of δ:
 * SAMPLE_REPEATS_LEVEL.
 */
#ifndef SAMPLE_BUDGET_H
#define SAMPLE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

/* ---- brackets ---- */

typedef struct sample_budget {
    double support, interval; /* δ_support, δ_interval */
    double unseen, discovery; /* δ_unseen, δ_discovery; 0 except in brackets with p_min */
    double episodes, verdict; /* δ_episodes, δ_verdict; 0 if not used. All parts sum to at most δ */
    uint64_t rows;            /* R, the largest possible number of rows; 0 if not declared */
} sample_budget;

/* With p_min or the graph. has_trials: lower bounds by episodes are used, too. */
sample_budget sample_budget_of(double delta, bool knows_graph, bool has_trials, uint64_t rows);
/* Whether the parts of δ in the following two are exact: the least one is a normal number. */
bool sample_budget_divides(double delta);
/* For a bracket from T. */
sample_budget sample_budget_with_horizon(double delta, uint64_t rows);
/* If nothing is known. */
sample_budget sample_budget_by_episodes(double delta, uint64_t rows);
/* R: a row for each state and action, and one for the reset; 0 if states or actions are 0, or R exceeds 64
 * bits. */
uint64_t sample_budget_rows(uint64_t states, uint64_t actions);

/* share(i) of row i, counted from 1: 1/(i(i+1)), or the mean of that and 1/R. */
double sample_budget_share(const sample_budget *budget, uint64_t i);
/* ln(δ_support · share(i)) and ln(δ_interval · share(i)): for all successors of row i together. */
double sample_budget_log_support(const sample_budget *budget, uint64_t i);
double sample_budget_log_interval(const sample_budget *budget, uint64_t i);
/* ln(δ_unseen · share(i)) and ln(δ_discovery · share(i)): of open rows with a p_min. */
double sample_budget_log_unseen(const sample_budget *budget, uint64_t i);
double sample_budget_log_discovered(const sample_budget *budget, uint64_t i);
/* The same for a row that is never completed: it uses δ_support + δ_unseen and δ_interval + δ_discovery. */
double sample_budget_log_never_complete(const sample_budget *budget, uint64_t i);
double sample_budget_log_never_complete_interval(const sample_budget *budget, uint64_t i);
/*
 * ln of the level of each of w successors, from that of the row: 1/w of it. If w = 2 it is the whole level,
 * since one sequence serves both successors. One-sided sequences get twice as much, since each end fails
 * with half the probability.
 */
double sample_budget_log_successor(double log_row, uint32_t successors, bool is_one_sided);
/* ln of the level of the k-th discovered successor of a row that is never complete: 1/(k(k+1)) of that of the
 * row. */
double sample_budget_log_discovery(double log_row, uint64_t k);

/* ln of the part of δ_episodes, and of δ_verdict, for candidate j, counted from 1: 1/(j(j+1)) of it. */
double sample_budget_log_episodes(const sample_budget *budget, uint64_t j);
double sample_budget_log_verdict(const sample_budget *budget, uint64_t j);

/* ---- estimates ---- */

typedef struct sample_budget_estimate {
    double line, mixture; /* their sum is at most δ; 0 if the sequence is not used */
} sample_budget_estimate;

/* to_width: the run ends when its interval is narrow enough. has_limit: a limit on steps or time, which may
 * depend on the observations, may end it. */
sample_budget_estimate sample_budget_of_estimate(double delta, bool to_width, bool has_limit);

#endif
