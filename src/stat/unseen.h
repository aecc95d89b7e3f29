/* SPDX-License-Identifier: MIT */
/*
 * The mass of outcomes that were not seen yet. Draws are independent and have the same distribution,
 * of which nothing else is known: not even how many outcomes there are.
 *
 * Let tau_k be the draw that showed the k-th distinct outcome, and M_k the probability of all
 * outcomes other than the first k. With probability 1 - alpha, for all k and at all times at once,
 *
 *     M_k <= 1 - alpha_k^(1/j),   alpha_k = alpha / (k (k+1)),
 *
 * whenever the j draws after tau_k showed nothing new. Proof: given the draws up to tau_k, M_k is a
 * number. Let j* be the least j with (1 - M_k)^j < alpha_k. The bound is wrong for some j only if
 * the first j* draws after tau_k showed nothing new, which has probability (1 - M_k)^j* < alpha_k.
 * The alpha_k sum to at most alpha. tau_k may be any stopping time at which k outcomes were seen,
 * for instance the end of a batch.
 */
#ifndef STAT_UNSEEN_H
#define STAT_UNSEEN_H

#include <stdint.h>

/* The logarithm of 1/(k(k+1)), the share of the k-th outcome. k >= 1. */
double stat_unseen_log_share(uint64_t k);

/* The bound above: `quiet` draws after the k-th outcome was seen showed no further one.
 * log_alpha < 0 is of all k together. 1 if quiet is 0. Rounded up. */
double stat_unseen_mass(uint64_t k, uint64_t quiet, double log_alpha);

#endif
