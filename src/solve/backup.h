/* SPDX-License-Identifier: MIT */
/*
 * The backup of a choice of a quotient: its gain plus the weighted values of its targets, rounded outward.
 *
 * Rounding. The sum has k = 1 + edges terms, none negative. Computed in doubles, in any order, it has a
 * relative error of at most (k + 1) · 2^-53 (a product and k - 1 additions for each term), each
 * probability one of SOLVE_PROBABILITY_MARGIN, and scaling the result adds one more rounding. The margin
 * allows k + 4 roundings; the remaining 2^-53 covers the terms of second order. Underflow loses digits
 * only of terms below SOLVE_TINY. A result below SOLVE_TINY is replaced by 0 or by SOLVE_TINY, and in a
 * larger sum the loss is far below the margin.
 */
#ifndef SOLVE_BACKUP_H
#define SOLVE_BACKUP_H

#include "solve/values.h"

#define SOLVE_TINY 1e-300

/* Relative bound on the error of solve_backup for a choice with this number of edges. */
static inline double solve_margin(uint32_t edges)
{
    return SOLVE_PROBABILITY_MARGIN + 0x1p-53 * ((double)edges + 5);
}

/*
 * Margin of the solver's own computations: larger by two roundings of a sum. A result with this margin
 * passes a check with solve_margin even if the check adds in another order.
 */
static inline double solve_outer_margin(uint32_t edges)
{
    return solve_margin(edges) + 0x1p-52 * ((double)edges + 8);
}

/* The sum in doubles, without a margin. */
static inline double solve_backup(const solve_quotient *quotient, uint32_t choice, const double *x)
{
    double sum = quotient->gain[choice];
    for (uint32_t e = quotient->edge_begin[choice]; e < quotient->edge_begin[choice + 1]; e++)
        sum += quotient->prob[e] * x[quotient->target[e]];
    return sum;
}

static inline uint32_t solve_choice_edges(const solve_quotient *quotient, uint32_t choice)
{
    return quotient->edge_begin[choice + 1] - quotient->edge_begin[choice];
}

static inline double solve_round_below(double sum, double margin)
{
    return sum < SOLVE_TINY ? 0 : sum * (1 - margin);
}

static inline double solve_round_above(double sum, double margin)
{
    sum *= 1 + margin;
    return sum < SOLVE_TINY ? SOLVE_TINY : sum > 1 ? 1 : sum;
}

/* A lower bound on the value of the choice if x is a lower bound on the values of the nodes. */
static inline double solve_backup_below(const solve_quotient *quotient, uint32_t choice,
                                        const double *x)
{
    return solve_round_below(solve_backup(quotient, choice, x),
                             solve_margin(solve_choice_edges(quotient, choice)));
}

/* An upper bound on the value of the choice if x is an upper bound on the values of the nodes. */
static inline double solve_backup_above(const solve_quotient *quotient, uint32_t choice,
                                        const double *x)
{
    return solve_round_above(solve_backup(quotient, choice, x),
                             solve_margin(solve_choice_edges(quotient, choice)));
}

#endif
