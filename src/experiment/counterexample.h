/* SPDX-License-Identifier: MIT */
/*
 * Why the recurrence time asks for more than the paper's definition does
 * (examples/models/counterexample.prism): what is computed about it, for the page and for tests,
 * which run it small.
 */
#ifndef EXPERIMENT_COUNTEREXAMPLE_H
#define EXPERIMENT_COUNTEREXAMPLE_H

#include "experiment/lab.h"
#include "experiment/trial.h"

/* The rules by which a learner with the literal T takes its k: OPAC_K_PAPER and OPAC_K_L1. */
enum {
    EXPERIMENT_COUNTER_RULES = 2
};

extern const opac_k_rule experiment_counter_rules[EXPERIMENT_COUNTER_RULES];

/* The system whose s2 returns with probability r: what T is, and what learners take. */
typedef struct experiment_counter_point {
    double r;
    uint64_t literal, covered;             /* T by the paper's words, and by ours */
    opac_count literal_k[3], covered_k[3]; /* by opac_k_rule */
    bool is_covered_run;
    experiment_trial known_time;  /* omega-PAC with our T and rule l1, if it was run */
    experiment_trial known_least; /* with pmin, sampling at states of choice */
    experiment_trial known_graph;
} experiment_counter_point;

/* Learners that take the literal T for T. */
typedef struct experiment_counter_share {
    double r;
    uint64_t k[EXPERIMENT_COUNTER_RULES];
    uint64_t safe[EXPERIMENT_COUNTER_RULES]; /* runs that chose what is worth 1 */
    uint64_t
        confident[EXPERIMENT_COUNTER_RULES];    /* others that say that the guarantee holds, with a
                                                     T that their own test does not refute */
    uint64_t refuted[EXPERIMENT_COUNTER_RULES]; /* of the former, those whose test refutes T */
    double worth[EXPERIMENT_COUNTER_RULES];     /* of the policies, on average */
} experiment_counter_share;

/* How much is run. */
typedef struct experiment_counter_size {
    const double *r; /* ascending, all positive */
    size_t r_count;
    double least; /* omega-PAC with our T is run from this r on: below, its steps are beyond 2^64 */
    const double *shares;
    size_t share_count;
    uint64_t runs; /* for each of these, and each rule */
} experiment_counter_size;

experiment_counter_size experiment_counter_full(void);

/* points: r_count; shares: share_count. */
opac_status experiment_counter_run(experiment_lab *lab, const experiment_counter_size *size,
                                   experiment_counter_point *points, opac_error *error);
opac_status experiment_counter_count(experiment_lab *lab, const experiment_counter_size *size,
                                     experiment_counter_share *shares, opac_error *error);

opac_status experiment_counter_sized(experiment_lab *lab, const experiment_counter_size *size,
                                     opac_error *error);

#endif
