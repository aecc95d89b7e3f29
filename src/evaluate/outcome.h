/* SPDX-License-Identifier: MIT */
/*
 * Where the runs from a state end, as three shares that sum to 1 (up to a
 * rounding or three, which counts nowhere):
 *
 *     yes     are accepted
 *     no      are rejected
 *     open    are one or the other: what rounding has left unknown
 *
 * So the probability of acceptance lies in [yes, yes + open], and both ends are
 * as precise near 1 as they are near 0. What is unknown is a third way to end,
 * and goes through the equations like the others: no directed rounding is
 * needed. To move a share from yes or no to open, or to add to open alone, is
 * always sound. Beside them goes what the probability most likely is.
 */
#ifndef EVALUATE_OUTCOME_H
#define EVALUATE_OUTCOME_H

#include <omegapac/evaluation.h>

#include "evaluate/component_classes.h"

/* Half a unit in the last place of 1: the relative error of an operation. */
#define EVALUATE_ROUNDING 0x1p-53
/*
 * A model's probabilities are taken to be off by as much as 2^-50, relatively:
 * decimals were rounded, and divided by a sum.
 */
#define EVALUATE_INPUT_ROUNDINGS 8
/* Products below this are moved to open, as this: below 2^-1022 rounding is no longer relative. */
#define EVALUATE_TINY 0x1p-900

typedef struct evaluate_outcome {
    double yes, unknown, no;
    double estimate;
} evaluate_outcome;

/* Adds weight · share to *sum, or EVALUATE_TINY to *open when it is too small; all are >= 0. */
static inline void evaluate_outcome_add(double weight, double share, double *sum, double *open)
{
    double product = weight * share;
    if (product >= EVALUATE_TINY)
        *sum += product;
    else if (weight > 0 && share > 0)
        *open += EVALUATE_TINY;
}

static inline void evaluate_outcome_mix(evaluate_outcome *sum, double weight,
                                        evaluate_outcome outcome)
{
    evaluate_outcome_add(weight, outcome.yes, &sum->yes, &sum->unknown);
    evaluate_outcome_add(weight, outcome.unknown, &sum->unknown, &sum->unknown);
    evaluate_outcome_add(weight, outcome.no, &sum->no, &sum->unknown);
    sum->estimate += weight * outcome.estimate;
}

/*
 * Shares whose logarithms are off by at most `error` (some roundings more do
 * not matter) become ones that enclose the truth.
 */
evaluate_outcome evaluate_outcome_enclose(evaluate_outcome outcome, double error);

opac_interval evaluate_outcome_interval(evaluate_outcome outcome);

/*
 * A component whose elimination would take too long, by iteration from nothing
 * known: yes and no grow from 0, rounded down. Until what is open is below 1e-9
 * of yes, nothing changes any more, or the edges seen exceed *budget, which is
 * lessened. outcome: by state of the chain.
 */
opac_status evaluate_outcome_iterate(const evaluate_chain *chain, const uint32_t *states,
                                     uint32_t count, evaluate_outcome *outcome, uint64_t *budget,
                                     const opac_cancel *cancel, opac_error *error);

/* The outcome of all states; the budgets are chosen here. Owned by the caller. */
opac_status evaluate_outcome_solve(const evaluate_chain *chain, const evaluate_classes *classes,
                                   const opac_evaluation_options *options,
                                   evaluate_outcome **outcome, opac_error *error);

/* For tests: with limits of their own; 0: the usual ones. */
typedef struct evaluate_outcome_limits {
    uint64_t work, entries; /* of the elimination of a component */
    uint64_t edges;         /* seen by iterations in all */
} evaluate_outcome_limits;

opac_status evaluate_outcome_solve_within(const evaluate_chain *chain,
                                          const evaluate_classes *classes,
                                          const evaluate_outcome_limits *limits,
                                          const opac_evaluation_options *options,
                                          evaluate_outcome **outcome, opac_error *error);

#endif
