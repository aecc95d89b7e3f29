/* SPDX-License-Identifier: MIT */
/*
 * The chain of the paper (examples/models/chain.prism): what is computed about it, for the page and
 * for tests, which run it small.
 */
#ifndef EXPERIMENT_CHAIN_H
#define EXPERIMENT_CHAIN_H

#include "experiment/lab.h"
#include "experiment/trial.h"

enum {
    EXPERIMENT_CHAIN_STATES = 6,  /* in which one can try */
    EXPERIMENT_CHAIN_HORIZON = 8, /* T of the paper */
    EXPERIMENT_CHAIN_EXACT = 9,   /* values of k for which exact numbers are shown */
    EXPERIMENT_CHAIN_LEARNERS = 8
};

extern const double experiment_chain_epsilon, experiment_chain_delta; /* of the paper */
extern const uint64_t experiment_chain_exact_k[EXPERIMENT_CHAIN_EXACT];

/*
 * The law of the learned policy (chain_law.c): with Bs ~ Binomial(k, 2^-s) successes in state s, the
 * policy tries in the first state of those with the most, if that is not 0. law[s], 1 <= s <= 6: the
 * probability that it tries in state s; law[0]: that it never does. k >= 1.
 */
void experiment_chain_law(uint64_t k, double law[EXPERIMENT_CHAIN_STATES + 1]);
/* 1 - law[1], the probability not to be within 6 epsilon, without the cancellation; 0 where it is
 * below 1e-300. */
double experiment_chain_failure(uint64_t k);
/* The least k from which on it is at most delta, 0 < delta < 1/2. */
uint64_t experiment_chain_enough(double delta);
/* The failure is at most 10^x, and this is x: for a k of any size. */
double experiment_chain_failure_log10(uint64_t k);

/* How much is run. Columns of the figure with 20 runs; values of k by which the finer one is made, of which
 * every (fine - 1) / (columns - 1)-th is a column; runs for each of these. */
typedef struct experiment_chain_size {
    size_t columns, fine;
    uint64_t shown, runs; /* shown <= runs */
    uint64_t most;        /* k; 0: Theorem 1's */
} experiment_chain_size;

experiment_chain_size experiment_chain_full(void);
opac_status experiment_chain_sized(experiment_lab *lab, const experiment_chain_size *size,
                                   opac_error *error);

/* ---- runs (chain.c) ---- */

/* Learned with k, with the paper's T, epsilon and delta. */
opac_status experiment_chain_try(const experiment_question *question, uint64_t k, uint64_t seed,
                                 const opac_cancel *cancel, experiment_trial *trial,
                                 opac_error *error);

/* One learner as it would be used, without a k by hand. */
typedef struct experiment_chain_learner {
    const char *name, *promise;
    opac_k_rule rule;
    bool knows_graph;
    double target, pmin;
    double width; /* of a bracket; 0: there is none, and T is known */
} experiment_chain_learner;

extern const experiment_chain_learner experiment_chain_learners[EXPERIMENT_CHAIN_LEARNERS];

/* All runs: of the k in turn, and then of the learners. Zeros but for the first two members before it is
 * prepared; to be released then, also after a failure. */
typedef struct experiment_chain_runs {
    experiment_lab *lab;
    const experiment_chain_size *size;
    experiment_question question;
    opac_bound_params params;
    opac_count rule_k[3]; /* by opac_k_rule */
    double optimum;
    uint64_t time;   /* the recurrence time */
    uint64_t enough; /* k, exactly */
    uint64_t *k;
    size_t k_count;
    uint64_t *column; /* the k of the figure with 20 runs */
    size_t column_count;
    experiment_trial *trials; /* by k, then by run */
    experiment_trial *others; /* by learner, then by run: `shown` of each */
} experiment_chain_runs;

opac_status experiment_chain_prepare(experiment_chain_runs *c, opac_error *error);
opac_status experiment_chain_run(experiment_chain_runs *c, opac_error *error);
void experiment_chain_release(experiment_chain_runs *c);

/* ---- what policies are worth (chain_worth.c) ---- */

/* The figure and the table of all runs. */
opac_status experiment_chain_worth(const experiment_chain_runs *c, opac_error *error);

#endif
