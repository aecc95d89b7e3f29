/* SPDX-License-Identifier: MIT */
/*
 * The robust backup: what a choice is worth whose probabilities lie in intervals. The free mass,
 * what the lower ends leave of 1, is handed out greedily over successors sorted by value (Givan, Leach, Dean,
 * "Bounded-parameter Markov decision processes", 2000; Nilim and El Ghaoui 2005).
 */
#ifndef SOLVE_ROBUST_H
#define SOLVE_ROBUST_H

#include "solve/quotient.h"

/*
 * The greatest (or least) Σ q(e) value(target(e)) over q within the intervals of
 * the choice's edges, rounded up (or down); all arrays by position in the choice. order: the edges of
 * the choice, count many, as positions from its first; any order on entry, sorted by value
 * afterwards, so that the next call is quick.
 */
double solve_interval_step(const double *lower, const double *upper, const double *values,
                           uint32_t *order, uint32_t count, bool greatest);

/* The q of a step in doubles, by position; order is sorted already. Nothing is rounded outward. */
void solve_interval_distribution(const double *lower, const double *upper, const uint32_t *order,
                                 uint32_t count, bool greatest, double *q);

/* The margin of solve_robust_backup with so many edges, absolute. */
double solve_robust_margin(uint32_t edges);

/*
 * A choice of a quotient with intervals. wide: with twice the margin, so that what was computed with
 * it holds also for solve_interval_step with the edges of the states, which are not joined.
 */
double solve_robust_backup(const solve_quotient *quotient, uint32_t choice, const double *x,
                           bool wide);

/* The greatest wide backup of a choice of the node, and the first choice that has it. No choice: 0. */
double solve_robust_best(const solve_quotient *quotient, uint32_t node, const double *x,
                         uint32_t *choice);

#endif
