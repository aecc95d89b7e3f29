/* SPDX-License-Identifier: MIT */
/*
 * What the policy can visit, as far as it was seen: the pairs that links lead to
 * from the start, each with the policy's choice. For the population sampler,
 * which moves masses of episodes along it.
 *
 *     nodes    ┌──────────────┐
 *              │ pair, choice │
 *              │ edge, width  │──► targets[edge … edge+width-1]: the node that a branch leads to,
 *              │ tally        │                                 POPULATION_GAP: not seen yet
 *              └──────┬───────┘
 *                     ▼
 *     tallies  counters that are not known: how much room they have
 *
 * A branch is a gap as long as no accepted episode has gone that way, or to that
 * pair: a function of the world, not of what was drawn. Node 0 is the start.
 * Nodes are numbered by breadth first search, so the map is a function of the
 * world and the policy alone.
 */
#ifndef SAMPLE_POPULATION_GRAPH_H
#define SAMPLE_POPULATION_GRAPH_H

#include "sample/run.h"

#define POPULATION_GAP      UINT32_MAX       /* in targets */
#define POPULATION_ABSORBED (UINT32_MAX - 1) /* in targets: the episode is over there */

typedef struct population_node {
    uint32_t product_state, choice;
    uint32_t row;         /* of the world; SAMPLE_NONE: the choice is free */
    uint32_t edge, width; /* a free choice has one */
    uint32_t tally;       /* SAMPLE_NONE: free, or known */
} population_node;
BASE_VEC(population_node_vec, population_node);

typedef struct population_tally {
    uint32_t counter;
    uint64_t room; /* at least 1 */
} population_tally;
BASE_VEC(population_tally_vec, population_tally);

/* A map of all zeros is empty. */
typedef struct population_graph {
    population_node_vec nodes; /* none: episodes are over where they begin */
    base_u32_vec targets;
    population_tally_vec tallies;
    base_u32_vec node_of;  /* by pair; SAMPLE_NONE: not in the map */
    base_u32_vec tally_of; /* by counter; likewise */
} population_graph;

void population_graph_fini(population_graph *graph);
/* After the first reset. Nothing is met by it, and no choice laid out. */
opac_status population_graph_build(population_graph *graph, sample_run *run, opac_error *error);

#endif
