/* SPDX-License-Identifier: MIT */
/*
 * The robust backup: the value of a choice whose probabilities lie in intervals. The free mass, which is 1
 * minus the sum of the lower ends, is distributed greedily over the successors, sorted by value (Givan, Leach
 * and Dean, "Bounded-parameter Markov decision processes", 2000; Nilim and El Ghaoui 2005; docs/theory.md,
 * Lemma 22).
 */
#ifndef SOLVE_ROBUST_H
#define SOLVE_ROBUST_H

#include "solve/quotient.h"

/*
 * The maximum (or minimum) of Σ q(e) values(e) over distributions q within the intervals, rounded up (or
 * down). All arrays have an item for each edge of the choice. order: a permutation of 0 … count - 1; it is
 * sorted by value on return, which makes the next call faster.
 */
double solve_interval_step(const double *lower, const double *upper, const double *values,
                           uint32_t *order, uint32_t count, bool greatest);

/* The q that attains the maximum (minimum), without outward rounding; order must be sorted by value. */
void solve_interval_distribution(const double *lower, const double *upper, const uint32_t *order,
                                 uint32_t count, bool greatest, double *q);

/* The absolute margin of solve_robust_backup for this number of edges. */
double solve_robust_margin(uint32_t edges);

/*
 * The backup of a choice of a quotient with intervals. double_margin: with twice the margin, so that the
 * result also bounds solve_interval_step with the original edges, which are not merged.
 */
double solve_robust_backup(const solve_quotient *quotient, uint32_t choice, const double *x,
                           bool double_margin);

/* The maximum backup of a node with double margin (0 without choices); *choice: the first to attain it. */
double solve_robust_best(const solve_quotient *quotient, uint32_t node, const double *x,
                         uint32_t *choice);

#endif
