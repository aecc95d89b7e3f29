/* SPDX-License-Identifier: MIT */
/*
 * The two functions from which accurate probabilities are computed (Loader, "Fast and accurate computation of
 * binomial probabilities", 2000). With
 *
 *     residue(x)     = ln x! - (x ln x - x)           about ln(2 pi x) / 2
 *     deviance(x, m) = x ln(x / m) + m - x            about (x - m)² / (2 m)
 *
 * the probability of x successes in n trials is
 *
 *     exp(residue(n) - residue(x) - residue(n-x) - deviance(x, np) - deviance(n-x, nq)),
 *
 * in which no term is much larger than the logarithm of the result. The textbook form subtracts numbers as
 * large as n ln n: at n = 10^15 no digit of its result is correct.
 */
#ifndef STAT_DENSITY_H
#define STAT_DENSITY_H

/* x >= 0, not necessarily an integer (x! is Gamma(x+1)); absolute error below 1e-14. */
double stat_residue(double x);

/*
 * x >= 0, m > 0. The caller provides the difference x - m, which it knows more precisely than the two doubles
 * determine it; the result has the relative accuracy of this difference.
 */
double stat_deviance(double x, double m, double difference);

#endif
