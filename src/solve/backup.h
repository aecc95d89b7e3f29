/* SPDX-License-Identifier: MIT */
/*
 * One choice of a quotient, evaluated and rounded outward: what it gains plus
 * what its targets are worth.
 *
 * The sum has k = 1 + edges terms, none negative. Added up in doubles, in any
 * order, it is off by a relative (k + 1) · 2^-53 at most (a product and k - 1
 * additions each), each probability by SOLVE_PROBABILITY_MARGIN, and one more
 * rounding scales the result; second orders fit in the 1 that is left of
 * k + 4. What underflows is lost for good, but below SOLVE_TINY only, where
 * results are replaced by 0 or by SOLVE_TINY; in a sum above that it is far
 * below the margin.
 */
#ifndef SOLVE_BACKUP_H
#define SOLVE_BACKUP_H

#include "solve/values.h"

#define SOLVE_TINY 1e-300

/* The relative error that covers a choice with that many edges. */
static inline double solve_margin(uint32_t edges)
{
    return SOLVE_PROBABILITY_MARGIN + 0x1p-53 * ((double)edges + 5);
}

/*
 * Twice the rounding of a sum more. What the room computes with this margin,
 * whoever adds up in another order confirms with the one above.
 */
static inline double solve_outer_margin(uint32_t edges)
{
    return solve_margin(edges) + 0x1p-52 * ((double)edges + 8);
}

/* The sum as doubles give it. */
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

/* At most what the choice is worth if nodes are worth at least x. */
static inline double solve_backup_below(const solve_quotient *quotient, uint32_t choice,
                                        const double *x)
{
    return solve_round_below(solve_backup(quotient, choice, x),
                             solve_margin(solve_choice_edges(quotient, choice)));
}

/* At least what the choice is worth if nodes are worth at most x. */
static inline double solve_backup_above(const solve_quotient *quotient, uint32_t choice,
                                        const double *x)
{
    return solve_round_above(solve_backup(quotient, choice, x),
                             solve_margin(solve_choice_edges(quotient, choice)));
}

#endif
