/* SPDX-License-Identifier: MIT */
/*
 * Upper bounds on the unseen mass: the probability of outcomes that were not observed yet. Samples are
 * independent and identically distributed; nothing else is known, not even the number of outcomes.
 *
 * Let tau_k be the sample at which the k-th distinct outcome was first observed, and M_k the probability of
 * all outcomes except the first k. Claim (docs/theory.md, Theorem 13): with probability at least 1 - alpha,
 * for all k and all j simultaneously,
 *
 *     M_k <= 1 - alpha_k^(1/j),   alpha_k = alpha / (k (k+1)),
 *
 * if the j samples after tau_k contain no new outcome. Proof: condition on the samples up to tau_k, so that
 * M_k is a constant. Let j* be the least j with (1 - M_k)^j < alpha_k. The bound fails for some j only if j
 * >= j*, and then the first j* samples after tau_k contain no new outcome, which has probability (1 -
 * M_k)^j* < alpha_k. The sum of the alpha_k is at most alpha.
 *
 * tau_k may be replaced by any stopping time at which k outcomes were observed, such as the end of a batch.
 */
#ifndef STAT_UNSEEN_H
#define STAT_UNSEEN_H

#include <stdint.h>

/* The logarithm of alpha_k / alpha = 1/(k(k+1)). k >= 1. */
double stat_unseen_log_share(uint64_t k);

/*
 * The bound above, if `quiet` samples after the k-th outcome contained no new one; 1 if quiet is 0.
 * log_alpha < 0 is for all k together. Rounded up.
 */
double stat_unseen_mass(uint64_t k, uint64_t quiet, double log_alpha);

#endif
