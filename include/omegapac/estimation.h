/* SPDX-License-Identifier: MIT */
/*
 * The probability of an objective in a Markov chain that can only be run.
 *
 *     opac_estimate_options options = {.horizon = 40, .epsilon = 0.05, .delta = 0.1, .seed = 1};
 *     opac_estimation estimation;
 *     opac_estimate(environment, &objective, &options, &estimation, &error);
 *     printf("%g [%g, %g]\n", estimation.value, estimation.lower, estimation.upper);
 *
 * C >= ln(2/delta) / (2 epsilon²) trajectories of T transitions are run; in each
 * the last strongly connected component of what was seen decides. If T bounds
 * the epsilon-recurrence time of the product chain, the estimate is within 2
 * epsilon of the truth with probability 1 - delta.
 *
 * An error of the environment ends it (OPAC_ERROR_SIMULATOR). An opac_estimation needs no release.
 * Other threads use forks of the environment (environment.h); all callbacks of the options are called
 * in the thread that asked.
 */
#ifndef OMEGAPAC_ESTIMATION_H
#define OMEGAPAC_ESTIMATION_H

#include <omegapac/bound.h>
#include <omegapac/cancel.h>
#include <omegapac/environment.h>
#include <omegapac/objective.h>
#include <omegapac/progress.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As opac_estimate_defaults gives it; horizon, epsilon and delta have no default. A member that is
 * zero means what is said of it. */
typedef struct opac_estimate_options {
    uint64_t horizon; /* T >= 1 */
    double epsilon;   /* in (0, 1): half of the error allowed for, and what T leaves out */
    double delta;     /* in (0, 1): the probability that the promise fails */
    /*
     * Sequentially: trajectories are run until both ends of an interval that is
     * valid at any time are at most this far from the estimate, the epsilon for
     * the truncation included; 0: as many as Hoeffding's inequality asks for. It
     * must exceed epsilon.
     */
    double width;
    uint64_t seed;    /* 1 */
    unsigned threads; /* 0: as many as there are processors */
    /* As in opac_learn_options; a second successor makes opac_estimation.is_refuted. */
    bool deterministic, untested;
    uint64_t trial_steps;        /* 0: 4096 */
    uint64_t max_steps;          /* 0: no limit */
    double max_seconds;          /* 0: no limit */
    uint64_t max_memory;         /* as in opac_learn_options */
    opac_notice_callback notice; /* warnings; may be NULL */
    void *notice_context;
    const opac_cancel *cancel; /* ends it: the result so far is OPAC_OK */
    opac_progress *progress;
} opac_estimate_options;

OPAC_API opac_estimate_options opac_estimate_defaults(void);

/* What was found. */
typedef struct opac_estimation {
    double value, lower, upper; /* the interval is valid with the confidence also when it was ended
                                   early, but then it is wider than was asked for; the value is
                                   NAN when no trajectory was run to its end */
    double confidence;          /* 1 - delta, below 1 */
    bool holds;                 /* it is as narrow as was asked for */
    uint64_t trajectories;      /* run to their end */
    uint64_t won;               /* of those, that satisfy the objective */
    uint64_t steps;             /* of all of them */
    opac_count wanted; /* trajectories by Hoeffding's inequality; some more if there is a limit,
                          since delta then covers an early end, too */
    uint32_t automaton_states; /* of the objective's automaton */
    uint64_t states_seen;      /* of the environment */
    bool has_terminal;         /* a state without actions, where a run is taken to stay for ever */
    double seconds;            /* that it took */
    bool is_cancelled;         /* it was ended by a request */
    bool is_full;              /* it was ended since it took more memory than max_memory */
    bool is_refuted; /* the system is not deterministic, as was declared: there is no value,
                                  and the interval is [0, 1] */
    char refutation[OPAC_MESSAGE_SIZE]; /* what shows that; "": nothing */
    /* How the independence of episodes was tested; NULL: nothing, since the
     * environment is a model. Static text. */
    const char *tested;
} opac_estimation;

/*
 * More than one action in a state is OPAC_ERROR_ARGUMENT: that is no Markov
 * chain. An automaton that is not deterministic is OPAC_ERROR_UNSUPPORTED. The
 * objective's direction and bound are of no interest. The outcome is a function of
 * the environment, the objective, the options and the seed; the number of threads changes nothing.
 */
OPAC_API opac_status opac_estimate(opac_environment *environment, const opac_objective *objective,
                                   const opac_estimate_options *options,
                                   opac_estimation *estimation, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
