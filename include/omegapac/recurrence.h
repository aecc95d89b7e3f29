/* SPDX-License-Identifier: MIT */
/*
 * Computes the epsilon-recurrence time of a known model: the number of transitions within which, with
 * probability 1 - epsilon, a run has covered a bottom component twice.
 *
 *     opac_recurrence_options options = {.epsilon = 0.05};
 *     opac_recurrence recurrence;
 *     opac_recurrence_time(model, &objective, &options, &recurrence, &error);
 *     printf("T = %" PRIu64 "\n", recurrence.steps.value);
 *
 * Let t1 be the first time by which every state of a bottom component B of the
 * product chain has been seen; B is covered twice at the first t2 > t1 such that
 * every state of B is among those from t1 to t2. T is the least number of
 * transitions with P(t2 <= T for some B) >= 1 - epsilon; of an MDP, the greatest
 * of all positional policies of the product (docs/theory.md, Definition 8).
 *
 * An opac_recurrence needs no release. The computation is limited by max_work; the kind of the result says
 * whether it is exact. The model and the policy may be shared by threads.
 */
#ifndef OMEGAPAC_RECURRENCE_H
#define OMEGAPAC_RECURRENCE_H

#include <omegapac/bound.h>
#include <omegapac/cancel.h>
#include <omegapac/objective.h>
#include <omegapac/policy.h>
#include <omegapac/progress.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a recurrence time was found. */
typedef enum opac_recurrence_kind {
    OPAC_RECURRENCE_EXACT = 0,   /* the exact T */
    OPAC_RECURRENCE_LOWER = 1,   /* a lower bound: some policy needs that long. Not suitable for
                                    opac_learn, which needs an upper bound */
    OPAC_RECURRENCE_UPPER = 2,   /* an upper bound, from the least probability */
    OPAC_RECURRENCE_ESTIMATE = 3 /* from simulated runs */
} opac_recurrence_kind;

/* "exact", "lower-bound", "upper-bound", "estimate". */
OPAC_API const char *opac_recurrence_kind_name(opac_recurrence_kind kind);

/* Options of opac_recurrence_time. A member that is zero stands for its default (opac_recurrence_defaults);
 * epsilon has none. */
typedef struct opac_recurrence_options {
    double epsilon; /* in (0, 1): fraction of runs that may take longer */
    bool literal;   /* use the paper's definition: every state of some B is visited twice */
    const opac_policy *policy; /* its induced chain; NULL for all positional policies */
    opac_automaton_kind kind;  /* kind of automaton to translate a formula to */
    /* end a run as soon as the automaton accepts every continuation, as in the learner; this can
     * only decrease T */
    bool end_accepted;
    /* if positive: a lower bound on the probabilities; compute only the upper bound from it */
    double least;
    /* compute exactly up to this many states of a bottom component; 0: 20 */
    uint32_t max_component;
    /* Maximum number of elementary steps; 0: about ten seconds. For all policies, the optimal policy and
     * the simulated runs have this limit each in addition. */
    uint64_t max_work;
    uint64_t samples;    /* number of runs of an estimate; 0: 100 000 */
    double delta;        /* probability that the interval of an estimate is wrong; 0: 0.01 */
    uint64_t seed;       /* of an estimate; default: 0 */
    unsigned threads;    /* of an estimate; 0: number of processors */
    uint64_t max_states; /* of the product; more are OPAC_ERROR_LIMIT; 0: 50 million */
    const opac_cancel *cancel;
    opac_progress *progress;
} opac_recurrence_options;

OPAC_API opac_recurrence_options opac_recurrence_defaults(void);

/* A recurrence time. */
typedef struct opac_recurrence {
    opac_count steps;          /* T */
    opac_recurrence_kind kind; /* how it was found */
    /* For EXACT: before = P(covered twice by T - 1) < 1 - epsilon <= reached = P(covered twice by T);
     * otherwise NAN. */
    double before, reached;
    /* For ESTIMATE: T lies in [lower, upper] with probability 1 - delta; upper is 0 if there is no upper
     * end. */
    uint64_t lower, upper;
    bool is_partial;      /* the estimate is of one of several policies, so of a lower bound on T */
    uint64_t policies;    /* number of policies examined */
    double least;         /* the least positive probability of the product */
    opac_count bound;     /* upper bound from `least` and bound_states */
    opac_count published; /* Lemma 1 of the paper, as published */
    opac_count bound_reached; /* upper bound from `least` and product_reachable */
    uint64_t bound_states; /* N: product_states, or product_reachable if the sink makes it larger */
    uint32_t automaton_states; /* of the objective's automaton */
    uint64_t product_states;   /* states of the model times states of the automaton */
    /* reachable states, with the sink for missing edges of the automaton and a random start state */
    uint32_t product_reachable;
} opac_recurrence;

/*
 * Computes the recurrence time. The automaton is completed: without an edge for a letter, a run takes one
 * step to a sink. With several initial states, the start is an additional state. Fails with
 * OPAC_ERROR_ARGUMENT for options out of range, and with OPAC_ERROR_LIMIT beyond max_states. The exact time
 * over all policies may take exponential time; beyond max_work the result is a bound or an estimate.
 */
OPAC_API opac_status opac_recurrence_time(const opac_model *model, const opac_objective *objective,
                                          const opac_recurrence_options *options,
                                          opac_recurrence *recurrence, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
