/* SPDX-License-Identifier: MIT */
/*
 * The recurrence time of a known model: how many transitions a run takes, with
 * probability 1 - epsilon, until it has shown what it will do for ever.
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
 * of all positional policies of the product.
 *
 * An opac_recurrence needs no release; more is not computed than max_work allows, and what is then
 * known is said by its kind. The model and the policy may be shared by threads.
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
    OPAC_RECURRENCE_EXACT = 0,   /* the least T there is */
    OPAC_RECURRENCE_LOWER = 1,   /* some policy needs that long; others may need longer: no T for
                                    opac_learn, which needs an upper bound */
    OPAC_RECURRENCE_UPPER = 2,   /* from the least probability */
    OPAC_RECURRENCE_ESTIMATE = 3 /* from simulated runs */
} opac_recurrence_kind;

/* "exact", "lower-bound", "upper-bound", "estimate". */
OPAC_API const char *opac_recurrence_kind_name(opac_recurrence_kind kind);

/* As opac_recurrence_defaults gives it; epsilon has no default. A member that is zero means its
 * default. */
typedef struct opac_recurrence_options {
    double epsilon;            /* in (0, 1): the share of runs that may take longer */
    bool literal;              /* the paper's definition: every state of some B is seen twice */
    const opac_policy *policy; /* of the model: its chain; NULL: all positional policies */
    opac_automaton_kind kind;  /* of the automaton that a formula becomes */
    bool end_accepted; /* a run is over once its automaton accepts whatever follows, as the learner
                          sees it: T can only be smaller */
    double least;      /* positive: no probability is below, and only the bound from it is wanted */
    uint32_t max_component; /* exactly up to this many states of a bottom component; 0: 20 */
    /* Elementary steps, 0: some ten seconds' worth; for all policies, as many again for the optimal
     * one, and as many for simulated runs. */
    uint64_t max_work;
    uint64_t samples;    /* runs of an estimate; 0: 100 000 */
    double delta;        /* of an estimate's interval; 0: 0.01 */
    uint64_t seed;       /* 0 */
    unsigned threads;    /* of an estimate; 0: as many as there are processors */
    uint64_t max_states; /* of the product; 0: 50 million; more are OPAC_ERROR_LIMIT */
    const opac_cancel *cancel;
    opac_progress *progress;
} opac_recurrence_options;

OPAC_API opac_recurrence_options opac_recurrence_defaults(void);

/* What was found. */
typedef struct opac_recurrence {
    opac_count steps;          /* T */
    opac_recurrence_kind kind; /* how it was found */
    /* Exact: P(covered twice by T - 1) < 1 - epsilon <= P(by T). NAN where they are not known. */
    double before, reached;
    /* Of an estimate: T lies there with probability 1 - delta. An upper end of 0: there is none. */
    uint64_t lower, upper;
    bool is_partial;            /* an estimate is of one policy: it estimates a lower bound on T */
    uint64_t policies;          /* that were looked at */
    double least;               /* the least positive probability of the product */
    opac_count bound;           /* the upper bound from it and bound_states, */
    opac_count published;       /* that of the paper's Lemma 1, as published, */
    opac_count bound_reached;   /* and the first, from the states that can be reached */
    uint64_t bound_states;      /* N: product_states, or more if the sink makes them so */
    uint32_t automaton_states;  /* of the objective's automaton */
    uint64_t product_states;    /* states of the model times states of the automaton */
    uint32_t product_reachable; /* with the sink of runs that the automaton cannot follow, and the
                                   start if it is random */
} opac_recurrence;

/*
 * Where the automaton has no move for a letter, the run takes one step to a sink
 * that loops: the automaton is completed. A start that is random, one of several
 * initial states, is a state of its own.
 */
OPAC_API opac_status opac_recurrence_time(const opac_model *model, const opac_objective *objective,
                                          const opac_recurrence_options *options,
                                          opac_recurrence *recurrence, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
