/* SPDX-License-Identifier: MIT */
/*
 * Class sets: what is known about the probabilities of the outcomes of every class (docs/theory.md, Theorem 19). They
 * are row sets (row_sets.h) of classes instead of rows:
 *
 *     class i     outcomes seen, in the order of discovery      unseen
 *                 [a_1, b_1]  [a_2, b_2] …     [a_k, b_k]          [0, M_k]
 *
 * Statement maintained. If rows are alike as declared, then with probability at least 1 - δ_support - δ_interval, for
 * all classes and at all times at once: the interval of every outcome seen contains its probability; and for every j up
 * to the number of outcomes seen, all outcomes but the first j have together at most `later` of outcome j. Class i has
 * share(i) of both parts of δ. The row of a random reset, which has no class, is number 1 if there is one, and
 * the classes follow in the order of discovery.
 *
 * A set is recomputed if the class has new draws.
 */
#ifndef SAMPLE_CLASS_SETS_H
#define SAMPLE_CLASS_SETS_H

#include "sample/budget.h"
#include "sample/statistics.h"
#include "stat/interval.h"

/* The level of the test of Lemma 27, which is not part of δ. */
#define SAMPLE_ALIKE_LEVEL 1e-6

typedef struct sample_class_sets_options {
    sample_budget budget;
    double pmin; /* of outcomes; 0 if unknown */
    /* Wrong on purpose, for tests that must detect it. */
    bool no_unseen;
} sample_class_sets_options;

/* An outcome that was seen. */
typedef struct sample_outcome_set {
    stat_interval interval;
    double
        later; /* upper bound on all outcomes of the class that are discovered later, or unseen */
} sample_outcome_set;

typedef struct sample_class_set {
    double unseen; /* M; 0 if the outcomes are complete by p_min */
    /* OPAC_REFUTED_ALIKE: no distribution lies within the intervals, or the test of Lemma 27 fails; or
     * OPAC_REFUTED_NEW_OUTCOME. Then the intervals are [0, 1]. */
    opac_refutation refutation;
} sample_class_set;

typedef struct sample_class_sets sample_class_sets;
/* The statistics are borrowed, and must have classes. */
opac_status sample_class_sets_new(const sample_statistics *stats,
                                  const sample_class_sets_options *options,
                                  sample_class_sets **sets, opac_error *error);
void sample_class_sets_free(sample_class_sets *sets);
/* i of a class with draws. */
uint64_t sample_class_sets_index(const sample_class_sets *sets, uint32_t class);
/* Of a class with draws; both are valid until the next call. *outcomes: by number of the outcome. */
opac_status sample_class_sets_get(sample_class_sets *sets, uint32_t class, sample_class_set *set,
                                  const sample_outcome_set **outcomes, opac_error *error);

/*
 * Upper bound on the probability of all outcomes of a row's class that the row has not shown: the least of one minus
 * the lower ends of those shown, and for every k of what is later than the k-th outcome plus the upper ends of those of
 * the first k that were not shown. `marks` has a zero for each outcome,
 * and is left so.
 */
double sample_class_sets_rest(const sample_classes *classes, uint32_t row,
                              const sample_outcome_set *outcomes, unsigned char *marks);

#endif
