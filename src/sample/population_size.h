/* SPDX-License-Identifier: MIT */
/*
 * How many episodes to draw together. Any number is right: a batch in which a
 * counter becomes full is split. So it is only a matter of cost, and of being
 * a function of the world and the policy, so that a run that was resumed draws
 * the same batches.
 *
 * The expected number of visits of each counter in an episode is computed from
 * what was observed so far, forward over T steps; mass that meets a choice of
 * which nothing was observed stops there. Then
 *
 *  - a counter shall not get many times more than what it has: its law, and with it
 *    the prediction, is not known better than that;
 *  - while the first counter to become full is far away, the batch ends a few deviations before
 *    that, so that it rarely has to be split. What is left is then of the size of a
 *    deviation, so that the next batches are of size n^(1/2), n^(1/4), …;
 *  - when it is near, the batch goes well beyond it, and is split.
 */
#ifndef SAMPLE_POPULATION_SIZE_H
#define SAMPLE_POPULATION_SIZE_H

#include "sample/population_graph.h"

typedef struct population_size {
    base_double_vec shares;  /* by edge of the map: of the node's observations */
    base_double_vec mass[2]; /* by node */
    base_u32_vec here, next;
    base_double_vec visits; /* by tally: expected in an episode */
    double steps;           /* of an episode, expected */
    double first;           /* episodes until the first counter is full; infinity: none */
    uint64_t n;             /* what to draw, at least 1 */
} population_size;

void population_size_fini(population_size *size);
opac_status population_size_choose(population_size *size, const population_graph *graph,
                                   const sample_run *run, opac_error *error);

#endif
