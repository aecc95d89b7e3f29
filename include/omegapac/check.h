/* SPDX-License-Identifier: MIT */
/*
 * Computes the optimal probability of an objective in a known model, with proven bounds, and an optimal
 * policy.
 *
 *     opac_solution *solution;
 *     opac_objective objective = {.formula = formula};
 *     if (opac_check(model, &objective, NULL, &solution, &error) == OPAC_OK) {
 *         opac_interval interval = opac_solution_interval(solution, 0);
 *         printf("%g [%g, %g]\n", interval.value, interval.lower, interval.upper);
 *     }
 *     opac_solution_free(solution);
 *
 * Errors: OPAC_ERROR_ARGUMENT if the objective does not fit the model or an option is out of range,
 * OPAC_ERROR_LIMIT if the product has more than max_states states, OPAC_ERROR_UNSUPPORTED if there is no
 * automaton of the requested kind, OPAC_ERROR_CANCELLED after a request to stop.
 *
 * Cost: memory is linear in the reachable product; time is linear for its exploration, and iterative for
 * the equations.
 *
 * A solution borrows the model. It is immutable; several threads may use it at the same time.
 */
#ifndef OMEGAPAC_CHECK_H
#define OMEGAPAC_CHECK_H

#include <omegapac/evaluation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Options of opac_check. A member that is zero stands for its default (opac_check_defaults). */
typedef struct opac_check_options {
    double precision; /* relative width of the interval; 0: 1e-6 */
    bool exact;  /* compute in fractions; the model must have been read with exact probabilities */
    bool policy; /* keep what opac_solution_policy needs */
    opac_automaton_kind kind;    /* kind of automaton to translate a formula to */
    uint64_t max_states;         /* of the product; more are OPAC_ERROR_LIMIT; 0: 50 million */
    unsigned threads;            /* 0: number of processors; does not change the result */
    opac_notice_callback notice; /* called if the value is only a lower bound; may be NULL */
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
    OPAC_VERDICT_UNDECIDED = 3 /* the interval contains the bound at every precision */
} opac_verdict;

typedef struct opac_solution opac_solution;

/*
 * Computes the optimum for each initial state. options may be NULL. The caller frees *solution with
 * opac_solution_free, before the model, which it borrows.
 */
OPAC_API opac_status opac_check(const opac_model *model, const opac_objective *objective,
                                const opac_check_options *options, opac_solution **solution,
                                opac_error *error);
OPAC_API void opac_solution_free(opac_solution *solution);

/* The optimum for an initial state; index below opac_model_initial_count. */
OPAC_API opac_interval opac_solution_interval(const opac_solution *solution, uint32_t index);
/* The optimum as a fraction, "13/120"; NULL unless it was computed exactly. Owned by the solution. */
OPAC_API const char *opac_solution_fraction(const opac_solution *solution, uint32_t index);
/* Whether the bound of the objective holds; true if it holds for every initial state. */
OPAC_API opac_verdict opac_solution_verdict(const opac_solution *solution);
/* Whether all intervals have the requested precision. */
OPAC_API bool opac_solution_is_precise(const opac_solution *solution);
/* Whether the value is only a lower bound (an upper bound for a least probability), because the automaton
 * is nondeterministic and not known to be good for MDPs. */
OPAC_API bool opac_solution_is_bound(const opac_solution *solution);
/* Whether the least probability was computed, not the greatest. */
OPAC_API bool opac_solution_is_least(const opac_solution *solution);

/* Makes a policy that attains the optimum; the caller frees it. Its probability is within the interval of
 * the solution. Fails with OPAC_ERROR_ARGUMENT unless the option `policy` was set. */
OPAC_API opac_status opac_solution_policy(const opac_solution *solution, opac_policy **policy,
                                          opac_error *error);
/* The automaton whose acceptance was maximised; for a least probability, that of the complement. Owned by
 * the solution. */
OPAC_API const opac_automaton *opac_solution_automaton(const opac_solution *solution);

/* Statistics of the computation. */
typedef struct opac_solution_stats {
    uint32_t automaton_states; /* of the objective's automaton */
    uint64_t product_states;   /* states of the model times those of the automaton */
    uint32_t product_reachable, choices, transitions; /* of the explored product */
    uint32_t winning_components, winning, losing,
        maybe;       /* winning end components; states with value 1, 0 and between */
    uint64_t sweeps; /* sweeps of value iteration in the last computation */
} opac_solution_stats;

/* The statistics of a solution. */
OPAC_API opac_solution_stats opac_solution_get_stats(const opac_solution *solution);

#ifdef __cplusplus
}
#endif

#endif
