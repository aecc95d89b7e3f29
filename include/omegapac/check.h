/* SPDX-License-Identifier: MIT */
/*
 * The best probability of an objective in a known model, with a proven
 * enclosure, and a policy that attains it.
 *
 *     opac_solution *solution;
 *     opac_objective objective = {.formula = formula};
 *     if (opac_check(model, &objective, NULL, &solution, &error) == OPAC_OK) {
 *         opac_interval interval = opac_solution_interval(solution, 0);
 *         printf("%g [%g, %g]\n", interval.value, interval.lower, interval.upper);
 *     }
 *     opac_solution_free(solution);
 *
 * An objective that does not fit the model, or another wrong argument, is OPAC_ERROR_ARGUMENT; a
 * product beyond max_states OPAC_ERROR_LIMIT; an automaton that cannot be had OPAC_ERROR_UNSUPPORTED.
 *
 * A solution borrows the model, and is immutable: any number of threads may read one.
 */
#ifndef OMEGAPAC_CHECK_H
#define OMEGAPAC_CHECK_H

#include <omegapac/evaluation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As opac_check_defaults gives it; a member that is zero means its default. */
typedef struct opac_check_options {
    double precision;         /* relative width of the enclosure; 0: 1e-6 */
    bool exact;               /* in fractions; the model was read with exact probabilities */
    bool policy;              /* opac_solution_policy will be asked for */
    opac_automaton_kind kind; /* of the automaton that a formula becomes */
    uint64_t max_states;      /* of the product; 0: 50 million; more are OPAC_ERROR_LIMIT */
    unsigned threads;         /* 0: as many as there are processors */
    opac_notice_callback
        notice; /* hears that a value is a lower bound only, and why; may be NULL */
    void *notice_context;
    const opac_cancel *cancel;
    opac_progress *progress;
} opac_check_options;

OPAC_API opac_check_options opac_check_defaults(void);

/* Whether the bound of an objective holds. */
typedef enum opac_verdict {
    OPAC_VERDICT_NONE = 0,     /* no bound was given */
    OPAC_VERDICT_TRUE = 1,     /* it holds */
    OPAC_VERDICT_FALSE = 2,    /* it does not hold */
    OPAC_VERDICT_UNDECIDED = 3 /* the enclosure contains the bound, however precise */
} opac_verdict;

typedef struct opac_solution opac_solution;

/* The optimum, and a policy if one is asked for. options may be NULL. The model is borrowed for as
 * long as the solution lives. */
OPAC_API opac_status opac_check(const opac_model *model, const opac_objective *objective,
                                const opac_check_options *options, opac_solution **solution,
                                opac_error *error);
OPAC_API void opac_solution_free(opac_solution *solution);

/* The optimum by initial state of the model; index below the number of those. */
OPAC_API opac_interval opac_solution_interval(const opac_solution *solution, uint32_t index);
/* "13/120"; NULL unless it was computed exactly. Borrowed. */
OPAC_API const char *opac_solution_fraction(const opac_solution *solution, uint32_t index);
/* Of all initial states together: true when the bound holds in each. */
OPAC_API opac_verdict opac_solution_verdict(const opac_solution *solution);
/* Whether the enclosures are as narrow as was asked for. */
OPAC_API bool opac_solution_is_precise(const opac_solution *solution);
/* The automaton is nondeterministic and not known to be good for MDPs: a lower bound (for a least
 * probability, an upper bound). */
OPAC_API bool opac_solution_is_bound(const opac_solution *solution);
/* A least probability was computed; otherwise a greatest. */
OPAC_API bool opac_solution_is_least(const opac_solution *solution);

/* A policy that attains the optimum, for the caller; OPAC_ERROR_ARGUMENT unless it was asked for. */
OPAC_API opac_status opac_solution_policy(const opac_solution *solution, opac_policy **policy,
                                          opac_error *error);
/* The automaton whose acceptance was maximised. Borrowed. */
OPAC_API const opac_automaton *opac_solution_automaton(const opac_solution *solution);

/* What the computation was like. */
typedef struct opac_solution_stats {
    uint32_t automaton_states;                           /* with the formula translated */
    uint64_t product_states;                             /* of the model times the automaton's */
    uint32_t product_reachable, choices, transitions;    /* of the product that was made */
    uint32_t winning_components, winning, losing, maybe; /* end components, then states */
    uint64_t sweeps; /* over components, by value iteration, of the last computation */
} opac_solution_stats;

/* Sizes and effort. */
OPAC_API opac_solution_stats opac_solution_get_stats(const opac_solution *solution);

#ifdef __cplusplus
}
#endif

#endif
