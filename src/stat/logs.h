/* SPDX-License-Identifier: MIT */
/*
 * Sums and differences of numbers that are given by their logarithms. The
 * logarithm of 0 is -infinity, and is welcome everywhere.
 */
#ifndef STAT_LOGS_H
#define STAT_LOGS_H

#include <stddef.h>
#include <stdint.h>

/* ln(e^a + e^b). */
double stat_log_add(double a, double b);

/* ln of the sum of all e^logs[i]; -infinity for none. */
double stat_log_sum(const double *logs, size_t count);

/* ln(1 - e^a), a <= 0, to full precision at both ends (Mächler, "Accurately computing
 * log(1 - exp(-|a|))", 2012). */
double stat_log_complement(double a);

/* ln(2^m - 2), the number of non-trivial subsets of m things; -infinity for m = 1. m >= 1. */
double stat_log_subsets(uint64_t m);

#endif
