/* SPDX-License-Identifier: MIT */
/*
 * The binomial distribution, and exact confidence intervals for a proportion.
 *
 *     double lower, upper;
 *     opac_clopper_pearson(18, 20, 0.05, &lower, &upper);   // 18 of 20 runs: [0.683, 0.988]
 *
 * The number of trials must be at most 2^53, probabilities must be in [0, 1]. Tail probabilities have a
 * relative error of at most about 1e-11, also far from the mean, and take microseconds. The functions have
 * no state and are thread-safe.
 */
#ifndef OMEGAPAC_BINOMIAL_H
#define OMEGAPAC_BINOMIAL_H

#include <stdint.h>

#include <omegapac/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ln P(B = successes) for B ~ Binomial(trials, p); -infinity if the probability is 0. */
OPAC_API double opac_binomial_log_probability(uint64_t trials, double p, uint64_t successes);
/* P(B > successes) and P(B <= successes). */
OPAC_API double opac_binomial_above(uint64_t trials, double p, uint64_t successes);
OPAC_API double opac_binomial_at_most(uint64_t trials, double p, uint64_t successes);

/*
 * Computes the interval of Clopper and Pearson (1934), rounded outwards. It contains the probability of
 * success with probability at least 1 - alpha, and lies above or below it with probability at most alpha /
 * 2 each. Requires successes <= trials, trials >= 1 and 0 < alpha < 1. The interval is valid for a number
 * of trials that is fixed in advance.
 */
OPAC_API void opac_clopper_pearson(uint64_t successes, uint64_t trials, double alpha, double *lower,
                                   double *upper);

#ifdef __cplusplus
}
#endif

#endif
