/* SPDX-License-Identifier: MIT */
/* The population sampler (population.c), for its source files and tests. */
#ifndef SAMPLE_POPULATION_H
#define SAMPLE_POPULATION_H

#include "sample/population_flow.h"
#include "sample/population_size.h"
#include "sample/run.h"
#include "sample/step.h"

typedef struct sample_population_counts {
    uint64_t batches; /* of at least two episodes */
    uint64_t splits;  /* of batches */
    uint64_t singles; /* episodes that were split off and applied step by step */
    uint64_t walks;   /* episodes that were not part of a batch */
    uint64_t dropped; /* episodes that were drawn and discarded */
} sample_population_counts;

struct sample_population {
    sample_run *run;
    population_graph graph;
    population_size size;
    population_flow flow;
    base_u64_vec pending;     /* by edge of the graph: observations to be counted */
    uint64_t episodes, steps; /* to be counted */
    sample_pending_vec due;   /* observations of the last episode, which is applied step by step */
    uint64_t walked;          /* steps of that episode */
    bool
        has_counted; /* a part of it was counted, with the pending observations: it must be finished */
    bool found_new; /* the batch has added states or product states */
    stat_rng rng;
    sample_population_counts counts; /* for tests */
};

#endif
