/* SPDX-License-Identifier: MIT */
/*
 * The sequence of policies that a learner goes through, and for how many steps it follows one that
 * is not good enough: what the page of `sequence` and its tests share.
 */
#ifndef EXPERIMENT_SEQUENCE_H
#define EXPERIMENT_SEQUENCE_H

#include "experiment/lab.h"
#include "experiment/trial.h"

typedef struct experiment_sequence_course {
    uint64_t policies, steps;
    uint64_t bad_policies; /* worth less than the threshold, the last one not counted */
    uint64_t bad_steps;    /* that were taken with them */
    uint64_t k;
    double last;    /* what the last one is worth: with it the sequence goes on for ever */
    bool ends_well; /* which is the threshold at least: bad_steps is all that there ever is */
} experiment_sequence_course;

/* One run, in this thread. A policy that is worth `threshold` is good enough. */
opac_status experiment_sequence_run(const experiment_question *question,
                                    const opac_learn_options *options, double threshold,
                                    experiment_sequence_course *course, opac_error *error);

typedef struct experiment_sequence_setting {
    const char *name; /* on the axis */
    const char *model, *formula;
    double epsilon;
    uint64_t horizon;
    uint64_t states, actions; /* N and K of the theorem: of the product, as in the paper */
    opac_k_rule rule;
    uint64_t k; /* not 0: this k, whatever the rule says */
} experiment_sequence_setting;

/* How many steps may be bad, for the k that the runs had. */
typedef struct experiment_sequence_bounds {
    opac_count published; /* C of Theorem 2 */
    opac_count proven;    /* opac_bound_bad_steps; its value is 0 where nothing is proven */
} experiment_sequence_bounds;

/* Runs of a setting, in parallel: `courses` has so many. */
opac_status experiment_sequence_repeat(experiment_lab *lab,
                                       const experiment_sequence_setting *setting, size_t runs,
                                       experiment_sequence_course *courses,
                                       experiment_sequence_bounds *bounds, opac_error *error);

/* The page, with so many runs of each setting, at most EXPERIMENT_SEQUENCE_RUNS. */
enum {
    EXPERIMENT_SEQUENCE_RUNS = 100
};
opac_status experiment_sequence_page(experiment_lab *lab, size_t runs, opac_error *error);

#endif
