/* SPDX-License-Identifier: MIT */
/* The state of a population sampler (population.c). */
#ifndef LEARN_POPULATION_H
#define LEARN_POPULATION_H

#include "learn/population_flow.h"
#include "learn/population_size.h"
#include "learn/run.h"
#include "learn/step.h"

typedef struct learn_population_counts {
    uint64_t batches; /* of two episodes or more */
    uint64_t splits;  /* of batches */
    uint64_t singles; /* episodes that were split off, and went in order of time */
    uint64_t walks;   /* episodes that went alone from the first */
    uint64_t dropped; /* episodes that were drawn and are as if they had never been */
} learn_population_counts;

struct learn_population {
    learn_run *run;
    population_map map;
    population_guess guess;
    population_flow flow;
    base_u64_vec pending;     /* by edge of the map: observations to be added */
    uint64_t episodes, steps; /* to be added */
    learn_due_vec due;        /* of the episode that is taken by itself, behind these */
    uint64_t walked;          /* its steps */
    bool is_added;            /* a part of it is, and what was pending: it has to come to its end */
    bool has_met;             /* it met something: the next batch would be another one */
    stat_rng rng;
    learn_population_counts counts; /* what it has done so far: for tests */
};

#endif
