/* SPDX-License-Identifier: MIT */
/*
 * The probability of an objective under a given policy: a second opinion, which
 * shares nothing with opac_check. The chain that the policy induces, run beside
 * a deterministic automaton; its bottom components judged by the acceptance
 * condition as it is; the linear equations solved by elimination, component by
 * component, with outward rounding, or in fractions.
 *
 *     opac_evaluation *evaluation;
 *     opac_interval interval;
 *     opac_evaluate(policy, NULL, NULL, &evaluation, &error);
 *     interval = opac_evaluation_interval(evaluation, 0);
 *     opac_evaluation_free(evaluation);
 *
 * An evaluation borrows nothing, and is immutable: any number of threads may read one.
 */
#ifndef OMEGAPAC_EVALUATION_H
#define OMEGAPAC_EVALUATION_H

#include <omegapac/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number and where it certainly lies. */
typedef struct opac_interval {
    double value;        /* within the ends */
    double lower, upper; /* the truth is between them, rounding included */
} opac_interval;

/* As opac_evaluation_defaults gives it; a member that is zero means its default. */
typedef struct opac_evaluation_options {
    bool exact;          /* in fractions; the model was read with exact probabilities */
    uint64_t max_states; /* of the chain; 0: 50 million; more are OPAC_ERROR_LIMIT */
    const opac_cancel *cancel;
    opac_progress *progress;
} opac_evaluation_options;

OPAC_API opac_evaluation_options opac_evaluation_defaults(void);

typedef struct opac_evaluation opac_evaluation;

/*
 * objective NULL: what the policy was made for, as its file says. An automaton
 * that is not deterministic is OPAC_ERROR_UNSUPPORTED, unless it is the
 * policy's own and there is no formula: then the run of the policy through it
 * counts, which is a bound (opac_evaluation_is_bound). Direction, comparison
 * and bound are of no interest. options may be NULL.
 */
OPAC_API opac_status opac_evaluate(const opac_policy *policy, const opac_objective *objective,
                                   const opac_evaluation_options *options,
                                   opac_evaluation **evaluation, opac_error *error);
OPAC_API void opac_evaluation_free(opac_evaluation *evaluation);

/* By initial state of the model; index below the number of those. */
OPAC_API opac_interval opac_evaluation_interval(const opac_evaluation *evaluation, uint32_t index);
/* "13/120"; NULL unless exact. Borrowed. */
OPAC_API const char *opac_evaluation_fraction(const opac_evaluation *evaluation, uint32_t index);
/*
 * Only the run through a nondeterministic automaton was judged: a lower bound,
 * or, where the automaton accepts what the objective forbids, an upper one.
 */
OPAC_API bool opac_evaluation_is_bound(const opac_evaluation *evaluation);
OPAC_API bool opac_evaluation_is_upper(const opac_evaluation *evaluation);
/*
 * Whether each enclosure is at most a millionth of its lower end wide, as those
 * of opac_check are by default. Not so where a component was too large to
 * eliminate, and iteration too slow; fractions always are.
 */
OPAC_API bool opac_evaluation_is_precise(const opac_evaluation *evaluation);
/* States of the chain beside the automaton, and its bottom components. */
OPAC_API uint32_t opac_evaluation_states(const opac_evaluation *evaluation);
OPAC_API uint32_t opac_evaluation_bottoms(const opac_evaluation *evaluation);

#ifdef __cplusplus
}
#endif

#endif
