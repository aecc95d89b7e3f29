/* SPDX-License-Identifier: MIT */
/*
 * The beta function and the beta distribution, for parameters from small ones
 * to 10^15. Tail probabilities have a relative error of some 1e-11 at worst,
 * also far out, and cost microseconds.
 *
 * P(Binomial(n, x) >= k) = stat_beta_below(x, k, n-k+1).
 */
#ifndef STAT_BETA_H
#define STAT_BETA_H

/*
 * ln( x^a (1-x)^b / B(a, b) ), which is the density times x (1-x), without the
 * cancellation between its three parts; -infinity at x = 0 and x = 1. a, b > 0 as everywhere here.
 */
double stat_log_beta_weight(double x, double a, double b);

/* I_x(a, b), the probability to be at most x, 0 <= x <= 1; and 1 - I_x(a, b). */
double stat_beta_below(double x, double a, double b);
double stat_beta_above(double x, double a, double b);

/* The least double x with stat_beta_below(x, a, b) >= probability. */
double stat_beta_quantile(double probability, double a, double b);

#endif
