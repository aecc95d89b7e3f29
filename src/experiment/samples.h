/* SPDX-License-Identifier: MIT */
/*
 * How many samples learners take, over families of questions: what the pages of `samples` and
 * its tests share.
 *
 *     family ──► questions, one for each x ──► cases: a learner on a question ──► runs, by seed
 *
 * The learners are ω-PAC with k by rule, and those that close a bracket, with the least probability
 * or with the graph. Steps are transitions of the environment, samples those that counted.
 */
#ifndef EXPERIMENT_SAMPLES_H
#define EXPERIMENT_SAMPLES_H

#include "experiment/lab.h"
#include "experiment/trial.h"

/* ---- k ---- */

typedef enum experiment_samples_rule {
    EXPERIMENT_SAMPLES_PAPER = 0,   /* Theorem 1 */
    EXPERIMENT_SAMPLES_SOUND = 1,   /* with the union over successors, too */
    EXPERIMENT_SAMPLES_L1 = 2,      /* total variation */
    EXPERIMENT_SAMPLES_TARGET = 3,  /* the same, for an error of 6 epsilon */
    EXPERIMENT_SAMPLES_UNKNOWN = 4, /* l1 when the number of successors is not known: m = N */
    EXPERIMENT_SAMPLES_RULES = 5
} experiment_samples_rule;

const char *experiment_samples_rule_name(experiment_samples_rule rule);
opac_status experiment_samples_k(const opac_bound_params *params, experiment_samples_rule rule,
                                 opac_count *k, opac_error *error);

/* What is varied, all else being as given. */
typedef enum experiment_samples_variable {
    EXPERIMENT_SAMPLES_STATES = 0,
    EXPERIMENT_SAMPLES_HORIZON = 1,
    EXPERIMENT_SAMPLES_EPSILON = 2
} experiment_samples_variable;

/* The params with the variable at first · factor^index (of states and horizon, rounded). */
opac_bound_params experiment_samples_at(const opac_bound_params *params,
                                        experiment_samples_variable variable, double first,
                                        double factor, size_t index);

/* ---- runs ---- */

typedef enum experiment_samples_learner {
    EXPERIMENT_SAMPLES_BY_PAPER =
        0, /* ω-PAC, rule paper, pairs of the product counted as in the paper */
    EXPERIMENT_SAMPLES_BY_L1 = 1,     /* ω-PAC, rule l1 */
    EXPERIMENT_SAMPLES_BY_TARGET = 2, /* ω-PAC, rule l1 for an error of 6 epsilon */
    EXPERIMENT_SAMPLES_BY_PMIN = 3,   /* the bracket, with the least probability */
    EXPERIMENT_SAMPLES_BY_GRAPH = 4,  /* the bracket, with the graph */
    EXPERIMENT_SAMPLES_LEARNERS = 5
} experiment_samples_learner;

const char *experiment_samples_learner_name(experiment_samples_learner learner);

enum {
    EXPERIMENT_SAMPLES_SETTINGS = 12, /* of a family, at most */
    EXPERIMENT_SAMPLES_FEW = 9        /* runs of ω-PAC on a question, at most */
};

/* One question of a family. */
typedef struct experiment_samples_setting {
    double x;              /* its place on the axis */
    const char *constants; /* of the model; NULL: none */
    double epsilon;
    uint64_t horizon; /* T; 0: computed from the model, for this epsilon */
    double pmin;      /* as told to the learner */
} experiment_samples_setting;

typedef struct experiment_samples_family {
    const char *name; /* of its table and figure */
    const char *model, *formula;
    const char *axis;  /* what x is */
    unsigned learners; /* bit by experiment_samples_learner */
    const experiment_samples_setting *settings;
    size_t setting_count;
} experiment_samples_family;

/* What the runs of a learner on a question took. */
typedef struct experiment_samples_outcome {
    double x, epsilon;
    uint64_t horizon; /* T; 0: the learner is not told */
    experiment_samples_learner learner;
    uint64_t k; /* 0: there is none */
    experiment_quartiles steps;
    uint64_t samples;    /* that counted, the median */
    double budget;       /* k N K, the most that could count; NAN: there is no k */
    double error;        /* promised, the greatest of the runs; NAN: not by all of them */
    double shortfall;    /* best probability less that of the policy, the greatest */
    uint64_t runs, done; /* those that came to their end by themselves */
} experiment_samples_outcome;

/*
 * All learners on all questions, `runs` each, in parallel; outcomes come by learner, then by
 * question. Freed by the caller with base_free.
 */
opac_status experiment_samples_run(experiment_lab *lab, const experiment_samples_family *family,
                                   size_t runs, experiment_samples_outcome **outcomes,
                                   size_t *count, opac_error *error);

/* ---- the page ---- */

/* How much of it is computed: all of it, or, for tests, a little. */
typedef struct experiment_samples_size {
    size_t runs;     /* of a learner on a question */
    size_t settings; /* of a family, the first ones; 0: all */
} experiment_samples_size;

/* The part about k alone. */
opac_status experiment_samples_tell_k(experiment_lab *lab, opac_error *error);

extern const experiment_samples_size experiment_samples_full;
opac_status experiment_samples_page(experiment_lab *lab, const experiment_samples_size *size,
                                    opac_error *error);

/* The slope of a straight line through the first and the last of the points, by logarithms. */
double experiment_samples_slope(const double *x, const double *y, size_t count);

#endif
