/* SPDX-License-Identifier: MIT */
/*
 * Example 1 of the paper (examples/models/robust.prism): what is computed about it, for the page
 * and for tests, which run it small.
 */
#ifndef EXPERIMENT_ROBUST_H
#define EXPERIMENT_ROBUST_H

#include "experiment/lab.h"
#include "experiment/trial.h"

typedef enum experiment_robust_learner {
    EXPERIMENT_ROBUST_TIME = 0,  /* knows T: omega-PAC with rule l1 */
    EXPERIMENT_ROBUST_LEAST = 1, /* knows that no probability is below p */
    EXPERIMENT_ROBUST_GRAPH = 2,
    EXPERIMENT_ROBUST_LEARNERS = 3
} experiment_robust_learner;

/* The system whose action b leaves with probability p. */
typedef struct experiment_robust_point {
    double p;
    uint64_t recurrent; /* T for G F s0, whose automaton has one state */
    uint64_t safe;      /* T for G s0, whose automaton notices a step later */
    uint64_t formula;   /* 1 + ceil(ln epsilon / ln(1-p)) */
    uint64_t needed;    /* ceil(ln delta / ln(1-p)): by then b was seen to leave, with 1 - delta */
    opac_count k[3];    /* by opac_k_rule, for G s0 */
    uint64_t steps[EXPERIMENT_ROBUST_LEARNERS]; /* median; UINT64_MAX: was not run */
    uint64_t right;                             /* runs of all learners that chose a */
    uint64_t runs;
} experiment_robust_point;

/* The system in which a leaves with probability p, and b stays; a learner that thinks T is what it
 * is for the system's p = 0.1. */
typedef struct experiment_robust_wrong {
    double p;
    uint64_t wrong;     /* runs that chose a */
    uint64_t confirmed; /* and of these, in how many the test of T found nothing */
    double exact;       /* (1-p)^k, the probability of such a run */
} experiment_robust_wrong;

/* How much is run. */
typedef struct experiment_robust_size {
    const double *p; /* ascending, below 1 */
    size_t p_count;
    double least;  /* omega-PAC is run from this p on: below, it only takes time */
    uint64_t runs; /* of each learner */
    const double *wrong;
    size_t wrong_count;
    uint64_t wrong_runs;
} experiment_robust_size;

experiment_robust_size experiment_robust_full(void);

/* points: p_count; wrong: wrong_count. *wrong_k: what the learner that is wrong takes for k. */
opac_status experiment_robust_run(experiment_lab *lab, const experiment_robust_size *size,
                                  experiment_robust_point *points, opac_error *error);
opac_status experiment_robust_mislead(experiment_lab *lab, const experiment_robust_size *size,
                                      experiment_robust_wrong *wrong, uint64_t *wrong_k,
                                      opac_error *error);

opac_status experiment_robust_sized(experiment_lab *lab, const experiment_robust_size *size,
                                    opac_error *error);

#endif
