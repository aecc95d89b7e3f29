/* SPDX-License-Identifier: MIT */
/*
 * Estimates the probability of an objective in a Markov chain from samples.
 *
 *     opac_estimate_options options = {.horizon = 40, .epsilon = 0.05, .delta = 0.1, .seed = 1};
 *     opac_estimation estimation;
 *     opac_estimate(environment, &objective, &options, &estimation, &error);
 *     printf("%g [%g, %g]\n", estimation.value, estimation.lower, estimation.upper);
 *
 * It samples C >= ln(2/delta) / (2 epsilon²) trajectories of T transitions. The last strongly connected
 * component of the observed product states decides whether a trajectory is accepted. If T bounds the
 * epsilon-recurrence time of the product chain, the estimate is within 2 epsilon of the probability with
 * probability 1 - delta.
 *
 * An error of the environment is OPAC_ERROR_SIMULATOR. An opac_estimation needs no release. Several threads
 * are used only if the environment can fork (environment.h); callbacks of the options are called in the
 * calling thread.
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

/* Options of opac_estimate; initialise them with opac_estimate_defaults. horizon, epsilon and delta have no
 * default. */
typedef struct opac_estimate_options {
    uint64_t horizon; /* T >= 1 */
    /* in (0, 1): half of the error, and the fraction of runs that may take longer than T */
    double epsilon;
    double delta; /* in (0, 1): probability that the guarantee fails */
    /*
     * Sequential sampling: stop as soon as both ends of an anytime-valid interval, including epsilon for
     * the truncation, are at most this far from the estimate. Must exceed epsilon. 0: the fixed number of
     * trajectories of Hoeffding's inequality.
     */
    double width;
    uint64_t seed;    /* default: 1 */
    unsigned threads; /* 0: number of processors; does not change the result */
    /* As in opac_learn_options; a second successor of a deterministic system sets
     * opac_estimation.is_refuted. */
    bool deterministic, untested;
    uint64_t trial_steps;        /* maximum steps of the trial before sampling; 0: 4096 */
    uint64_t max_steps;          /* 0: no limit */
    double max_seconds;          /* 0: no limit */
    uint64_t max_memory;         /* as in opac_learn_options */
    opac_notice_callback notice; /* warnings; may be NULL */
    void *notice_context;
    const opac_cancel *cancel; /* ends sampling; the result so far is returned with OPAC_OK */
    opac_progress *progress;
} opac_estimate_options;

OPAC_API opac_estimate_options opac_estimate_defaults(void);

/* The result of an estimation. */
typedef struct opac_estimation {
    double value, lower,
        upper;         /* estimate and interval. The interval is valid with the confidence also if
                                   sampling ended early, but is then wider than requested. The value is NAN
                                   without a complete trajectory */
    double confidence; /* 1 - delta, below 1 */
    bool holds;        /* the interval is as narrow as requested */
    uint64_t trajectories; /* number of complete trajectories */
    uint64_t won;          /* number of those that are accepted */
    uint64_t steps;        /* total number of steps */
    /* planned number of trajectories, by Hoeffding's inequality; slightly more if there is a
     * limit, because delta then also covers an early end */
    opac_count wanted;
    uint32_t automaton_states; /* of the objective's automaton */
    uint64_t states_seen;      /* states of the environment seen */
    bool has_terminal;         /* a state without actions was reached; it is treated as absorbing */
    double seconds;            /* duration */
    bool is_cancelled;         /* ended by a request to stop */
    bool is_full;              /* ended because it reached max_memory */
    /* the system was declared deterministic but is not: there is no value, and the interval is
     * [0, 1] */
    bool is_refuted;
    char refutation[OPAC_MESSAGE_SIZE]; /* the observation that refutes it; "" if none */
    /* How the independence of episodes was tested, as static text; NULL if the environment is a model. */
    const char *tested;
} opac_estimation;

/*
 * Estimates the probability. Ignores the direction and the bound of the objective. A state with more than
 * one action is OPAC_ERROR_ARGUMENT, because the environment is then not a Markov chain; an automaton that
 * is not deterministic is OPAC_ERROR_UNSUPPORTED. The result is a function of the environment, the
 * objective, the options and the seed.
 */
OPAC_API opac_status opac_estimate(opac_environment *environment, const opac_objective *objective,
                                   const opac_estimate_options *options,
                                   opac_estimation *estimation, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
