/* SPDX-License-Identifier: MIT */
/*
 * The outcome of runs from a state, as three probabilities that sum to 1 (up to some roundings, which are
 * accounted for):
 *
 *     yes        the run is accepted
 *     no         the run is rejected
 *     unknown    either of both: the mass that rounding has left undetermined
 *
 * So the probability of acceptance lies in [yes, yes + unknown], with the same relative precision near 0
 * and near 1. The unknown mass is a third outcome that goes through the equations like the others, so
 * directed rounding is not needed. Moving mass from yes or no to unknown, or adding to unknown alone, is
 * always sound. `estimate` is the most likely probability.
 */
#ifndef EVALUATE_OUTCOME_H
#define EVALUATE_OUTCOME_H

#include <omegapac/evaluation.h>

#include "evaluate/component_classes.h"

/* Half a unit in the last place of 1: the relative error of an operation. */
#define EVALUATE_ROUNDING 0x1p-53
/*
 * Probabilities of a model have a relative error of at most 2^-50: decimals were rounded, and divided by
 * their sum.
 */
#define EVALUATE_INPUT_ROUNDINGS 8
/* Smaller products are replaced by this amount of unknown mass, because rounding is not relative below
 * 2^-1022. */
#define EVALUATE_TINY 0x1p-900

typedef struct evaluate_outcome {
    double yes, unknown, no;
    double estimate;
} evaluate_outcome;

/* Adds weight · share to *sum, or EVALUATE_TINY to *open if it is too small; all are >= 0. */
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
 * Widens an outcome whose logarithms have an error of at most `error` to one that contains the true
 * values; some additional roundings are covered.
 */
evaluate_outcome evaluate_outcome_enclose(evaluate_outcome outcome, double error);

opac_interval evaluate_outcome_interval(evaluate_outcome outcome);

/*
 * Solves a component that is too large for elimination by iteration from below. It stops if the unknown
 * mass is below 1e-9 of yes, if nothing changes any more, or if it has visited *budget edges; it reduces
 * *budget. outcome: by state of the chain.
 */
opac_status evaluate_outcome_iterate(const evaluate_chain *chain, const uint32_t *states,
                                     uint32_t count, evaluate_outcome *outcome, uint64_t *budget,
                                     const opac_cancel *cancel, opac_error *error);

/* Computes the outcomes of all states, with the default limits. The caller frees *outcome. */
opac_status evaluate_outcome_solve(const evaluate_chain *chain, const evaluate_classes *classes,
                                   const opac_evaluation_options *options,
                                   evaluate_outcome **outcome, opac_error *error);

/* Limits, for tests; 0 for the default. */
typedef struct evaluate_outcome_limits {
    uint64_t work, entries; /* of the elimination of a component */
    uint64_t edges;         /* total number of edges visited by iterations */
} evaluate_outcome_limits;

opac_status evaluate_outcome_solve_within(const evaluate_chain *chain,
                                          const evaluate_classes *classes,
                                          const evaluate_outcome_limits *limits,
                                          const opac_evaluation_options *options,
                                          evaluate_outcome **outcome, opac_error *error);

#endif
