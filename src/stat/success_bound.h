/* SPDX-License-Identifier: MIT */
/*
 * A lower confidence bound on the probability of success, for every number of trials: with probability at
 * least 1 - alpha no bound exceeds it. Unlike the lower end of an interval (stat/sequence.h) it spends nothing
 * on an upper end, and it is sharp while all trials succeed.
 *
 * After m trials with K successes it is the least p with E_m(p) < 1/alpha, where
 *
 *     E_m(p) = ½ B(K+½, m-K+½) / (B(½, ½) p^K (1-p)^(m-K)) + ½ [K = m] p^(-m).
 *
 * Both terms are nonnegative martingales that begin with ½ if p is the probability of success: the mixture
 * with Jeffreys' prior, and a bet on success that is lost at the first failure. So their sum begins with 1, and
 * Ville's inequality applies (docs/theory.md, Theorem 10 and Theorem 16).
 */
#ifndef STAT_SUCCESS_BOUND_H
#define STAT_SUCCESS_BOUND_H

#include <stdint.h>

/*
 * successes <= trials <= 2^53; log_alpha < 0, so alpha may be arbitrarily small. 0 without successes. After m
 * trials that all succeeded it is (alpha (1+r) / 2)^(1/m), r = C(2m, m) / 4^m.
 *
 * Rounded down, by a relative 1e-12 of its distances from 0 and from the share of successes at most; the error
 * bound is derived in success_bound.c and jeffreys.c. Costs half a microsecond.
 */
double stat_success_lower(uint64_t successes, uint64_t trials, double log_alpha);

#endif
