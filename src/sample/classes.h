/* SPDX-License-Identifier: MIT */
/*
 * Rows alike: classes of rows and their outcomes (docs/theory.md, Definition 16). With each step the environment tells
 * a class and an outcome.
 *
 *     class       its draws, and its outcomes in the order of discovery, each with its count and the number of
 *                 the draw that showed it first
 *     row         its class, and the outcomes that it has shown, each with its count and its branch f(row, outcome)
 *
 *     row ──► class ──► outcomes ──► counts, discoveries
 *       └───► shown ──► outcome, branch
 *
 * Declared are: the class is a function of the row; the branch is one of row and outcome; the probability of an
 * outcome depends on the class only. A second class of a row and a second branch of an outcome refute this; the first
 * such observation is kept. The third is tested by a likelihood ratio (Lemma 27): log_rows is the logarithm of the
 * probability that a predictor of the rows, each by itself, gives to all draws of the class.
 *
 * Classes and outcomes are numbered when they are first observed, also in an episode that is dropped and repeated.
 * Only counted observations enter the order of discovery, so that it follows from the order of observations alone.
 */
#ifndef SAMPLE_CLASSES_H
#define SAMPLE_CLASSES_H

#include <omegapac/environment.h>
#include <omegapac/learning.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"

#define SAMPLE_NO_OUTCOME UINT32_MAX

typedef struct sample_class {
    uint64_t index; /* in the order of discovery, from 1; 0: not counted yet */
    uint64_t draws;
    uint32_t first, last; /* outcomes in the order of discovery, by `next`; SAMPLE_NO_OUTCOME */
    uint32_t outcomes;    /* number of them */
    double log_rows;
} sample_class;
BASE_VEC(sample_class_vec, sample_class);

typedef struct sample_outcome {
    uint32_t class;
    uint32_t next;  /* in the order of discovery; SAMPLE_NO_OUTCOME */
    uint64_t count; /* 0: not counted yet */
    uint64_t from;  /* number of the draw of the class that showed it first, from 1 */
} sample_outcome;
BASE_VEC(sample_outcome_vec, sample_outcome);

/* An outcome that a row has shown. */
typedef struct sample_shown {
    uint64_t count;
    uint32_t outcome, branch;
    uint32_t next; /* of the same row, in the order of discovery; SAMPLE_NO_OUTCOME */
} sample_shown;
BASE_VEC(sample_shown_vec, sample_shown);

typedef struct sample_class_row {
    uint64_t draws;
    uint32_t class;       /* SAMPLE_NO_OUTCOME before the first draw */
    uint32_t first, last; /* shown outcomes; SAMPLE_NO_OUTCOME */
    uint32_t outcomes;    /* number of them */
} sample_class_row;
BASE_VEC(sample_class_row_vec, sample_class_row);

typedef struct sample_classes {
    base_intern names; /* of classes */
    base_intern pairs; /* of outcomes: the number of the class, then the name of the outcome */
    sample_class_vec classes;
    sample_outcome_vec outcomes;
    sample_class_row_vec rows; /* by row; may be shorter */
    sample_shown_vec shown;
    base_map shown_of;   /* row << 32 | outcome: index in shown */
    uint64_t discovered; /* number of classes with draws */
    /* The first contradiction: OPAC_REFUTED_CLASS or OPAC_REFUTED_OUTCOME with its row and branch. */
    opac_refutation refutation;
    uint32_t refuting_row, refuting_branch;
} sample_classes;

opac_status sample_classes_new(sample_classes **classes, opac_error *error);
void sample_classes_free(sample_classes *classes);

/* The number of the outcome of a step; `add` adds it and its class if they are new. Several threads may call `find` at
 * the same time; it may also return false for a very long name that is known. */
bool sample_classes_find(const sample_classes *classes, const opac_observation *seen,
                         uint32_t *outcome);
opac_status sample_classes_add(sample_classes *classes, const opac_observation *seen,
                               uint32_t *outcome, opac_error *error);

/* Counts a draw of a row that had this outcome and took this branch. */
opac_status sample_classes_observe(sample_classes *classes, uint32_t row, uint32_t outcome,
                                   uint32_t branch, opac_error *error);

/* The class of a row, and its first shown outcome; SAMPLE_NO_OUTCOME if there is none. */
static inline uint32_t sample_classes_of_row(const sample_classes *classes, uint32_t row)
{
    return row < classes->rows.count ? classes->rows.items[row].class : SAMPLE_NO_OUTCOME;
}
static inline uint32_t sample_classes_first_shown(const sample_classes *classes, uint32_t row)
{
    return row < classes->rows.count ? classes->rows.items[row].first : SAMPLE_NO_OUTCOME;
}

/* Whether a row has shown all outcomes that its class has. */
static inline bool sample_classes_has_shown_all(const sample_classes *classes, uint32_t row)
{
    uint32_t class = sample_classes_of_row(classes, row);
    return class != SAMPLE_NO_OUTCOME &&
           classes->rows.items[row].outcomes == classes->classes.items[class].outcomes;
}

/*
 * The logarithm of the test statistic of a class (Lemma 27): if its rows are alike, it ever exceeds ln(1/α) with
 * probability at most α.
 */
double sample_classes_log_ratio(const sample_classes *classes, uint32_t class);

/* The names of a class and of an outcome; valid until the next addition. */
const unsigned char *sample_classes_name(const sample_classes *classes, uint32_t class,
                                         size_t *length);
const unsigned char *sample_classes_outcome_name(const sample_classes *classes, uint32_t outcome,
                                                 size_t *length);

/* ---- classes_save.c ---- */

/* Appends everything to the words of a checkpoint. Restoring validates them against the statistics, whose rows and
 * counters were restored before. *used: number of words read. */
struct sample_statistics;
opac_status sample_classes_save(const sample_classes *classes, base_u64_vec *words,
                                opac_error *error);
opac_status sample_classes_restore(struct sample_statistics *stats, const uint64_t *words,
                                   size_t count, size_t *used, opac_error *error);

#endif
