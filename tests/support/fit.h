/* SPDX-License-Identifier: MIT */
/*
 * Goodness-of-fit tests for samplers. The probabilities are computed here, in long double, from the ratios of
 * neighbouring ones, independently of the samplers under test.
 *
 * A test samples with a fixed seed and fails if its p-value is below FIT_FALSE_ALARM. This is its
 * probability of failure for a correct sampler, over the choice of the seed. A failing seed must be
 * investigated, never replaced.
 */
#ifndef SUPPORT_FIT_H
#define SUPPORT_FIT_H

#include <stddef.h>
#include <stdint.h>

#include "stat/rng.h"

#define FIT_FALSE_ALARM 1e-6

/* The probabilities of first … first+count-1; all other values together have less than 1e-20. */
typedef struct fit_distribution {
    uint64_t first;
    size_t count;
    double *probability;
} fit_distribution;

fit_distribution fit_binomial(uint64_t n, double p);
fit_distribution fit_hypergeometric(uint64_t good, uint64_t bad, uint64_t draws);
void fit_distribution_fini(fit_distribution *expected);

typedef uint64_t (*fit_sampler)(stat_rng *rng, const void *context);

/* Samples and compares; the p-value, or 0 if a value occurred that has probability 0. */
double fit_sample(const fit_distribution *expected, fit_sampler sampler, const void *context,
                  uint64_t draws, uint64_t seed);

/* The p-value of the chi-square test; cells of fewer than 10 expected are pooled with the next. */
double fit_chi_square(const uint64_t *observed, const double *probability, size_t cells,
                      uint64_t draws);

/* The p-value of the chi-square test that two samples of the same size have the same distribution, with cells
 * pooled as above. */
double fit_two_samples(const uint64_t *one, const uint64_t *other, size_t cells);

/* Two-sided p-value of a standard normal number. */
double fit_normal(double z);

#endif
