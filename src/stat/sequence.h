/* SPDX-License-Identifier: MIT */
/*
 * Confidence sequences for a proportion: intervals that contain the probability
 * of success after every number of trials, all at once, with probability
 * 1 - alpha. So whoever looks after each trial may stop when it pleases, also
 * because of what was seen.
 *
 * By Ville's inequality ("Étude critique de la notion de collectif", 1939): a
 * martingale that begins with 1 and is never negative reaches 1/alpha at any time
 * with probability alpha at most.
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
 * is a martingale, and the interval has the p with M_n(p) < 1/alpha. It follows
 * the variance: near 0 and 1 it is much narrower than in the middle.
 *
 * 0 < alpha < 1; trials <= 2^53; without trials it is [0, 1]. Rounded outwards.
 * Costs some hundred evaluations of a density: a tenth of a millisecond.
 */
stat_interval stat_sequence_mixture(uint64_t successes, uint64_t trials, double alpha);

/*
 * Hoeffding's interval for a number of trials that was planned, made into a sequence. With
 * N = ln(2/alpha) / (2 e^2), the two lines that the sum crosses with probability alpha/2
 * each: successes / n ± (e/2) (1 + N/n), which is e at n = N. For with l = 4e
 *
 *     exp(l (X - np) - n l^2 / 8)    and the same with -l
 *
 * are supermartingales (Hoeffding's lemma), that reach 2/alpha with probability alpha/2 at most.
 *
 * 0 < e, 0 < alpha < 1; trials <= 2^53; without trials [0, 1]. From N on it stays at e.
 * Rounded outwards; not cut to [0, 1].
 */
stat_interval stat_sequence_line(uint64_t successes, uint64_t trials, double e, double alpha);

/*
 * The mixture with Jeffreys' prior (Krichevsky and Trofimov 1981; Robbins 1970): all p with
 *
 *     S ln p + (n-S) ln(1-p)  >=  ln B(1/2+S, 1/2+n-S) - ln B(1/2, 1/2) + ln alpha
 *
 * Valid at all times at once. log_alpha < 0, so that alpha may be as small as one
 * likes; trials <= 2^53; without trials [0, 1]. lower is 0 only without
 * successes, upper 1 only without failures, or where no double lies between (so lower > 0 as long
 * as alpha / trials^2 is at least 1e-320).
 *
 * Rounded outwards: wider than the real numbers by a relative 1e-12 at most, and never narrower;
 * the error bound is in jeffreys.c. Costs half a microsecond.
 */
stat_interval stat_sequence_jeffreys(uint64_t successes, uint64_t trials, double log_alpha);

/*
 * Hoeffding's interval after n trials with alpha / (n (n+1)) in place of alpha, so valid at all
 * times by a union bound: what a sequence is compared with. Rounded outwards, cut to [0, 1].
 */
stat_interval stat_sequence_hoeffding(uint64_t successes, uint64_t trials, double log_alpha);

/*
 * After so many visits, each of `successors` successors, of a probability of at least pmin each,
 * was seen, with probability 1 - alpha: the least n with successors (1 - pmin)^n <= alpha,
 * but 1 at least. log_alpha is taken at its word, so a logarithm that was rounded down may give
 * one more. 0 < pmin <= 1, successors >= 1; UINT64_MAX: beyond 64 bits.
 */
uint64_t stat_support_visits(double pmin, double successors, double log_alpha);

/*
 * How many successors of a probability of at least pmin there can be: 1/pmin, rounded down, after
 * a relative 1e-9 was added, since 1/5 is no double, and the one nearest to it leaves room for four
 * only. 0 < pmin <= 1; UINT64_MAX: 2^63 or more.
 */
uint64_t stat_support_size(double pmin);

#endif
