/* SPDX-License-Identifier: MIT */
/*
 * Supports of rows and confidence intervals for their probabilities, without a recurrence time T.
 *
 *     row i ──► share(i) of δ ──► complete after n_i visits ──► intervals, valid at all times
 *
 * Statement maintained (docs/theory.md, Theorem 12; all numbers below refer to that page). With probability
 * at least 1 - δ, at all times at once: the successors of every complete row are all its successors, every other
 * row has at most the unseen mass that is stated, and every interval contains the probability that it is for.
 * Assumed is a lower bound p_min on the positive transition probabilities, or the graph, or both. p_min is not
 * assumed of a random reset, which is a row with a bound of its own, p_start. If p_min is a function of state and
 * action (pmin_of), then below it means the row's own value. A reset without p_start and without a graph is never
 * complete.
 *
 * Open rows. Without a graph, a row that was tried and is not complete has the successors seen so far, each with
 * an interval, and a bound on its unseen mass (support_open.c; Theorem 13 and Lemma 20).
 *
 * Shares (Definition 11; sample/budget.h). δ_support and δ_unseen are for supports and unseen mass, δ_interval and
 * δ_discovery for intervals of complete and of open rows; with a graph only δ_interval is used. Rows are
 * numbered 1, 2, 3 … in the order in which their states are discovered. share(i) = 1/(i(i+1)), or, if at
 * most R rows are declared, the mean of that and 1/R; the shares sum to at most 1 either way. Row i gets its
 * number before it is first tried, so given the past its visits are independent draws from its distribution.
 * Hence each bound below may be shown for one row, given its past, and the failure probabilities add up to
 * at most δ (Lemma 16).
 *
 * Support. Row i has at most b = min(⌊1/p_min⌋, declared) successors. (The quotient is taken with a
 * relative tolerance of 1e-9, since 1/5 is not a double and must yield 5.) It becomes complete when b
 * successors were seen, when its unseen mass is below p_min, or after n_i visits, the least n with
 * b (1 - p_min)^n ≤ δ_support · share(i). Each
 * of its successors is missing from n_i draws with probability at most (1 - p_min)^n_i, so one of the at
 * most b is missing with probability at most δ_support · share(i) (Lemma 19). With a graph all rows are
 * complete from the start. The successors of a complete row do not change.
 *
 * Intervals. The successor of a complete row with w = 1 has [1, 1]. For w > 1 each successor has a
 * confidence sequence (stat_sequence_jeffreys, Theorem 11) at level α = δ_interval · share(i) / w; for w = 2
 * one sequence at level δ_interval · share(i) serves both, since the two probabilities sum to 1. The union
 * over w instead of b is sound: if the support is right, w is the true number of successors, which is not
 * random (Lemma 18).
 *
 * Rounding. With m = (w + 4) · 1e-13, the sequence [a, b] becomes [max(a (1 - 1e-9), p_min (1 - 2e-9)) - m,
 * b (1 + 1e-9) + m], within [0, 1]; then the upper end is cut at what the lower ends of the other successors
 * leave. The checker rounds differently and widens by 2e-10, so its intervals lie inside (Theorem 15).
 *
 * Rows alike. Then shares belong to classes of rows, and intervals of a row are sums of those of its outcomes: see
 * support_alike.c. δ_support = δ/2 also with a graph.
 *
 * An observation that is impossible under the assumptions, or so improbable that its probability is part of
 * δ, refutes them: see sample_refutation.
 */
#ifndef BRACKET_SUPPORT_H
#define BRACKET_SUPPORT_H

#include <omegapac/learning.h>

#include "sample/row_sets.h"
#include "sample/statistics.h"
#include "stat/interval.h"

typedef struct bracket_support_options {
    double pmin;             /* of actions; 0 if unknown */
    opac_learn_pmin pmin_of; /* of an action of a state; NULL if pmin is that of all */
    void *pmin_context;
    double pmin_start;       /* of the reset; 0 if unknown */
    opac_environment *graph; /* must support env_successors; NULL if the graph is unknown */
    /* Rows are alike (support_alike.c): a lower bound on the positive probabilities of outcomes; 0 if unknown. Ignored
     * unless the statistics have classes. */
    double pmin_outcome;
    double delta;
    bool has_trials;    /* a part of delta is for lower bounds by episodes */
    uint64_t rows;      /* R; 0 if not declared */
    uint64_t branching; /* declared number of successors; 0 if not declared */
    /*
     * For comparisons with Ashok, Kretinsky and Weininger, "PAC statistical model checking for Markov
     * decision processes and stochastic games", CAV 2019. hoeffding: lower ends by Hoeffding's inequality,
     * one-sided; the remaining mass may go to any successor of the row. no_pmin_cut: lower ends are not
     * cut at p_min.
     */
    bool hoeffding, no_pmin_cut;
    bool has_batches; /* draws may come in batches (sample_statistics_end_batch) */
    /* Wrong on purpose, for tests that must detect it; 0 otherwise. interval_scale shrinks an interval
     * towards the frequency by this factor; n_i is divided by visits_divisor; bounds on unseen mass are
     * multiplied by mass_scale; the intervals of open rows count the discovering draw; with rows alike, outcomes
     * that a row has not shown are ignored. */
    double interval_scale, visits_divisor, mass_scale;
    bool counts_discovery, trusts_rows;
} bracket_support_options;

typedef struct bracket_support bracket_support;

/*
 * The statistics are borrowed; they must count by row, with k = SAMPLE_NEVER_FULL. Binds the graph to the
 * automaton's propositions. Must be called before statistics are restored from a checkpoint.
 */
opac_status bracket_support_new(sample_statistics *stats, const bracket_support_options *options,
                                bracket_support **support, opac_error *error);
void bracket_support_free(bracket_support *support);

/*
 * Makes rows known that have become complete (sample_statistics_complete) and adds the product states that
 * they lead to. With a graph, adds all that the graph reaches. *changed: number of rows that became complete.
 */
opac_status bracket_support_refresh(bracket_support *support, uint64_t *changed, opac_error *error);
/* Polled while a graph is explored; if requested, that fails with OPAC_ERROR_CANCELLED. May be NULL. */
void bracket_support_set_cancel(bracket_support *support, const opac_cancel *cancel);

/* i and n_i of a row; n_i is 0 if rows are complete from the start. Rows alike: i is not used, and n_i is 1. */
uint64_t bracket_support_index(const bracket_support *support, uint32_t row);
uint64_t bracket_support_visits(const bracket_support *support, uint32_t row);

/*
 * Rows alike: whether the current counts show of every complete row that it is. A row is complete forever, but the rest
 * may have grown since; a certificate has the current counts only.
 */
opac_status bracket_support_can_certify(bracket_support *support, bool *can_certify,
                                        opac_error *error);
/* Rows alike: whether a row has outcomes that it has not shown. */
bool bracket_support_is_open(const bracket_support *support, uint32_t row);

/* Whether a row is a random reset for which neither p_start nor the graph is known. */
bool bracket_support_is_start(const bracket_support *support, uint32_t row);
/* Bounds for a row: an outcome for each successor, and one for all unseen successors together. */
typedef struct bracket_row_set {
    const stat_interval *intervals; /* by position in sample_statistics_order */
    uint32_t width;
    bool is_complete;
    double unseen; /* upper bound on the probability of all unseen successors together */
    uint64_t
        quiet_after; /* the k of Theorem 13: the bound is one on all but the first k successors */
    uint64_t quiet;  /* its j: number of draws after the k-th discovery without a new successor */
} bracket_row_set;
/*
 * Of a row with successors in sample_statistics_order, after bracket_support_refresh. Recomputed only if the
 * counts have changed, and valid until the next call.
 */
opac_status bracket_support_get(bracket_support *support, uint32_t row, bracket_row_set *set,
                                opac_error *error);
/* The k and j of Theorem 13 that give the least bound on the unseen mass of a row with these discoveries; returns
 * the bound. */
double bracket_support_find_quiet(const bracket_support *support, uint32_t row,
                                  const sample_found_vec *found, uint64_t *after, uint64_t *quiet);
/* M of a row, as last computed; 0 of a complete one. */
double bracket_support_unseen(const bracket_support *support, uint32_t row);
/* Whether a row is complete by the number of its visits or successors alone, or by the graph. */
bool bracket_support_is_plain(const bracket_support *support, uint32_t row);

/* Checks all rows whose counts changed since the last call. The first refutation is kept and returned. */
opac_status bracket_support_check(bracket_support *support, sample_refutation *found,
                                  opac_error *error);

/*
 * Checks the statistics of a trial in the same environment with the same automaton: a row with more
 * successors than p_min allows, or with one that the graph does not have, is a refutation too. The
 * states that the refutation names are then added here.
 */
opac_status bracket_support_check_trial(bracket_support *support, const sample_statistics *other,
                                        opac_error *error);

/* With pmin_of: its least value over the pairs seen, 1 if there are none. Asks for those of new rows. */
opac_status bracket_support_find_least(bracket_support *support, double *least, opac_error *error);

/*
 * For checkpoints: appends the values of pmin_of, the complete rows, their successors and all discoveries as
 * words. Restoring validates them, and must come after the statistics were restored
 * (statistics_restore.h). *used: number of words read. It does not call pmin_of; bracket_support_compare does,
 * and fails unless its values are those restored.
 */
opac_status bracket_support_save(const bracket_support *support, base_u64_vec *words,
                                 opac_error *error);
opac_status bracket_support_restore(bracket_support *support, const uint64_t *words, size_t count,
                                    size_t *used, opac_error *error);
opac_status bracket_support_compare(const bracket_support *support, opac_error *error);

#endif
