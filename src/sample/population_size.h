/* SPDX-License-Identifier: MIT */
/*
 * Chooses the number of episodes of a batch. Any number gives a correct result, since a batch in which a
 * counter becomes full is split; the number affects the cost only. It is a function of the statistics and
 * the policy, so that a resumed run draws the same batches.
 *
 * The expected number of visits of each counter in an episode is computed from the observed frequencies,
 * forward over T steps; mass that reaches a choice without observations stops there. Then
 *
 *  - a counter must not get many times more observations than it has, because its distribution, and so the
 *    prediction, is not known better than that;
 *  - while the first counter to become full is far away, the batch ends a few standard deviations before
 *    that, so that it rarely must be split. What remains is of the size of a standard deviation, so the
 *    next batches have sizes n^(1/2), n^(1/4), …;
 *  - when it is near, the batch goes well beyond it, and is split.
 */
#ifndef SAMPLE_POPULATION_SIZE_H
#define SAMPLE_POPULATION_SIZE_H

#include "sample/population_graph.h"

typedef struct population_size {
    base_double_vec shares;  /* by edge of the graph: share of the node's observations */
    base_double_vec mass[2]; /* by node */
    base_u32_vec here, next;
    base_double_vec visits; /* by tally: expected in an episode */
    double steps;           /* of an episode, expected */
    double first;           /* expected episodes until the first counter is full; may be infinite */
    uint64_t n;             /* number of episodes, at least 1 */
} population_size;

void population_size_fini(population_size *size);
opac_status population_size_choose(population_size *size, const population_graph *graph,
                                   const sample_run *run, opac_error *error);

#endif
