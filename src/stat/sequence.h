/* SPDX-License-Identifier: MIT */
/*
 * Confidence sequences for a proportion (docs/theory.md, Definition 10): intervals for every number of
 * trials, which all contain the probability of success simultaneously with probability at least 1 - alpha.
 * So a caller may examine the interval after each trial, and stop at any time, depending on the
 * observations.
 *
 * They are based on Ville's inequality ("Étude critique de la notion de collectif", 1939): a nonnegative
 * martingale that begins with 1 ever reaches 1/alpha with probability at most alpha (docs/theory.md,
 * Theorem 10).
 */
#ifndef STAT_SEQUENCE_H
#define STAT_SEQUENCE_H

#include "stat/interval.h"

/*
 * The uniform mixture (Robbins, "Statistical methods related to the law of the
 * iterated logarithm", 1970). If X ~ Binomial(n, p), then
 *
 *     M_n(p) = ∫ u^X (1-u)^(n-X) du / (p^X (1-p)^(n-X)) = 1 / ((n+1) P_p(X))
 *
 * is a martingale, and the interval consists of the p with M_n(p) < 1/alpha (docs/theory.md, Lemma 17). It
 * adapts to the variance: near 0 and 1 it is much narrower than in the middle.
 *
 * 0 < alpha < 1; trials <= 2^53; without trials it is [0, 1]. Rounded outward. Costs about a hundred
 * evaluations of a density, a tenth of a millisecond.
 */
stat_interval stat_sequence_mixture(uint64_t successes, uint64_t trials, double alpha);

/*
 * Hoeffding's interval for a planned number of trials N = ln(2/alpha) / (2 e^2), extended to a sequence:
 *
 *     successes / n ± (e/2) (1 + N/n),    whose half width is e at n = N.
 *
 * The sum of the trials crosses each of the two lines with probability at most alpha/2 (docs/theory.md,
 * Lemma 17). Proof: with l = 4e,
 *
 *     exp(l (X - np) - n l^2 / 8)    and the same with -l
 *
 * are supermartingales by Hoeffding's lemma, and each reaches 2/alpha with probability at most alpha/2.
 *
 * 0 < e, 0 < alpha < 1; trials <= 2^53; without trials [0, 1]. From N on the half width stays e. Rounded
 * outward; not clamped to [0, 1].
 */
stat_interval stat_sequence_line(uint64_t successes, uint64_t trials, double e, double alpha);

/*
 * The mixture with Jeffreys' prior (Krichevsky and Trofimov 1981; Robbins 1970; docs/theory.md,
 * Theorem 11): all p with
 *
 *     S ln p + (n-S) ln(1-p)  >=  ln B(1/2+S, 1/2+n-S) - ln B(1/2, 1/2) + ln alpha
 *
 * log_alpha < 0, so alpha may be arbitrarily small; trials <= 2^53;
 * without trials [0, 1]. Up to the range of doubles, lower is 0 only without successes, and upper is 1 only
 * without failures (lower > 0 if alpha / trials^2 is at least 1e-320).
 *
 * Rounded outward: the ends are never inside the exact ones, and outside by a relative 1e-12 at most; the
 * proof of this error bound is in jeffreys.c. Costs half a microsecond.
 */
stat_interval stat_sequence_jeffreys(uint64_t successes, uint64_t trials, double log_alpha);

/*
 * Hoeffding's interval after n trials with alpha / (n (n+1)) in place of alpha, which is valid at all times
 * by a union bound. Serves as a baseline for comparisons. Rounded outward and clamped to [0, 1].
 */
stat_interval stat_sequence_hoeffding(uint64_t successes, uint64_t trials, double log_alpha);

/*
 * The number of visits after which all of `successors` successors, each with probability at least pmin, were
 * observed with probability at least 1 - alpha (docs/theory.md, Lemma 19): the least n >= 1 with
 * successors (1 - pmin)^n <= alpha. log_alpha is used exactly as given, so if it was rounded down the result
 * may be one more. 0 < pmin <= 1, successors >= 1; UINT64_MAX if the result exceeds 64 bits.
 */
uint64_t stat_support_visits(double pmin, double successors, double log_alpha);

/*
 * The maximum number of successors with probability at least pmin: 1/pmin plus a relative 1e-9, rounded
 * down. The addition is necessary because the double nearest to 1/5, for example, exceeds 1/5, and would
 * allow only four successors. 0 < pmin <= 1; UINT64_MAX if the result is 2^63 or more.
 */
uint64_t stat_support_size(double pmin);

#endif
