/* SPDX-License-Identifier: MIT */
/*
 * The two pieces of which accurate probabilities are made (Loader, "Fast and
 * accurate computation of binomial probabilities", 2000). With
 *
 *     residue(x)     = ln x! - (x ln x - x)           about ln(2 pi x) / 2
 *     deviance(x, m) = x ln(x / m) + m - x            about (x - m)² / (2 m)
 *
 * the probability of x successes in n trials is
 *
 *     exp(residue(n) - residue(x) - residue(n-x) - deviance(x, np) - deviance(n-x, nq)),
 *
 * in which every term is of the size of the result's logarithm. The textbook
 * form subtracts numbers as large as n ln n: at n = 10^15 it has no correct
 * digit left.
 */
#ifndef STAT_DENSITY_H
#define STAT_DENSITY_H

/* x >= 0, also between the integers (x! is Gamma(x+1)); absolute error below 1e-14. */
double stat_residue(double x);

/*
 * x >= 0, m > 0. The difference x - m is given by the caller, who knows it to
 * more digits than the two doubles tell; the result has its relative accuracy.
 */
double stat_deviance(double x, double m, double difference);

#endif
