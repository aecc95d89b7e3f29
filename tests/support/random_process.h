/* SPDX-License-Identifier: MIT */
/* Random processes and sets for property tests: the same seed gives the same ones. */
#ifndef SUPPORT_RANDOM_PROCESS_H
#define SUPPORT_RANDOM_PROCESS_H

#include "base/bitset.h"
#include "graph/process.h"
#include "support/random.h"

/* At most so many choices a state and edges a choice; a number of choices may be 0. */
typedef struct random_shape {
    uint32_t states, most_choices, most_edges;
} random_shape;

/* Targets are uniform, may repeat within a choice and have equal probability an edge. */
void random_process(uint64_t *random, random_shape shape, graph_process *process);

/* A new set with each element in it with this probability. */
void random_set(uint64_t *random, size_t size, uint32_t percent, base_bitset *set);

#endif
