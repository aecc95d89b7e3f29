/* SPDX-License-Identifier: MIT */
/*
 * Computes the probability of an objective under a given policy. It is an independent check of opac_check
 * and shares no solver with it: it builds the induced Markov chain beside a deterministic automaton,
 * classifies the bottom components by the acceptance condition, and solves the linear equations by
 * elimination, component by component, with rigorous rounding or in fractions.
 *
 *     opac_evaluation *evaluation;
 *     opac_interval interval;
 *     opac_evaluate(policy, NULL, NULL, &evaluation, &error);
 *     interval = opac_evaluation_interval(evaluation, 0);
 *     opac_evaluation_free(evaluation);
 *
 * An evaluation borrows nothing. It is immutable; several threads may use it at the same time.
 */
#ifndef OMEGAPAC_EVALUATION_H
#define OMEGAPAC_EVALUATION_H

#include <omegapac/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number with proven bounds. */
typedef struct opac_interval {
    double value;        /* approximate value, between the bounds */
    double lower, upper; /* the exact value lies between them; this accounts for rounding */
} opac_interval;

/* Options of opac_evaluate. A member that is zero stands for its default (opac_evaluation_defaults). */
typedef struct opac_evaluation_options {
    bool exact; /* compute in fractions; the model must have been read with exact probabilities */
    uint64_t max_states; /* of the chain; more are OPAC_ERROR_LIMIT; 0: 50 million */
    const opac_cancel *cancel;
    opac_progress *progress;
} opac_evaluation_options;

OPAC_API opac_evaluation_options opac_evaluation_defaults(void);

typedef struct opac_evaluation opac_evaluation;

/*
 * Evaluates a policy of a model. objective NULL: the objective that the policy was made for. Direction,
 * comparison and bound of the objective are ignored. options may be NULL. The caller frees *evaluation. An
 * automaton that is not deterministic is OPAC_ERROR_UNSUPPORTED, unless it is the automaton of the policy
 * and there is no formula: then the run that the policy follows is evaluated, which gives a bound
 * (opac_evaluation_is_bound). A policy of a simulator is OPAC_ERROR_UNSUPPORTED. Elimination takes up to n³
 * operations for a dense component of n states.
 */
OPAC_API opac_status opac_evaluate(const opac_policy *policy, const opac_objective *objective,
                                   const opac_evaluation_options *options,
                                   opac_evaluation **evaluation, opac_error *error);
OPAC_API void opac_evaluation_free(opac_evaluation *evaluation);

/* The probability from an initial state; index below opac_model_initial_count. */
OPAC_API opac_interval opac_evaluation_interval(const opac_evaluation *evaluation, uint32_t index);
/* The probability as a fraction, "13/120"; NULL unless exact. Owned by the evaluation. */
OPAC_API const char *opac_evaluation_fraction(const opac_evaluation *evaluation, uint32_t index);
/*
 * Whether only one run through a nondeterministic automaton was evaluated, so that the value is a lower
 * bound; or an upper bound (is_upper), if the automaton accepts the complement of the objective.
 */
OPAC_API bool opac_evaluation_is_bound(const opac_evaluation *evaluation);
OPAC_API bool opac_evaluation_is_upper(const opac_evaluation *evaluation);
/*
 * Whether each interval has a width of at most 1e-6 relative to its lower end. It may be false if a
 * component was too large for elimination and iteration converged too slowly; fractions are always precise.
 */
OPAC_API bool opac_evaluation_is_precise(const opac_evaluation *evaluation);
/* The numbers of states of the product chain and of its bottom components. */
OPAC_API uint32_t opac_evaluation_states(const opac_evaluation *evaluation);
OPAC_API uint32_t opac_evaluation_bottoms(const opac_evaluation *evaluation);

#ifdef __cplusplus
}
#endif

#endif
