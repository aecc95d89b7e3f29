/* SPDX-License-Identifier: MIT */
/* What a population sampler has done so far: for tests and for the curious. */
#ifndef LEARN_POPULATION_H
#define LEARN_POPULATION_H

#include "learn/run.h"

typedef struct learn_population_counts {
    uint64_t batches; /* of two episodes or more */
    uint64_t splits;  /* of batches */
    uint64_t singles; /* episodes that were split off, and went in order of time */
    uint64_t walks;   /* episodes that went alone from the first */
    uint64_t dropped; /* episodes that were drawn and are as if they had never been */
} learn_population_counts;

learn_population_counts learn_population_count(const learn_population *sampler);

#endif
